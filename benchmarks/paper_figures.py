"""Figures of Wissow and Asai, "Scale-Adaptive Balancing of Exploration and Exploitation in Classical Planning".

Coverage within 10,000 evaluations: totals of Table 1 (columns FF, add, max, GC, FF+PO, FF+DE, FF+DE+PO; c = 1 where
there is a c), and the domain-wise table of the appendix for FF.
"""

from __future__ import annotations

COLUMNS = ("ff", "hadd", "hmax", "goalcount", "ff+po", "ff+de", "ff+de+po")

TOTALS: dict[str, tuple[float | None, ...]] = {
    "guct": (412.0, 397.8, 228.4, 285.2, 454.0, 389.2, 439.4),
    "guct*": (458.6, 480.8, 242.2, 310.4, 495.8, 423.6, 471.0),
    "guct-01": (368.0, 328.8, 237.4, 302.4, 408.4, 361.2, 422.6),
    "guct*-01": (388.0, 364.4, 233.4, 297.6, 420.6, 378.2, 438.8),
    "guct-v": (317.4, 310.6, 208.6, 255.4, 389.6, 344.6, 421.0),
    "guct-normal": (283.4, 265.0, 212.0, 233.4, 372.4, 289.0, 381.6),
    "guct*-normal": (318.8, 300.0, 215.2, 246.2, 378.1, 304.4, 386.7),
    "guct-normal2": (581.8, 535.8, 316.6, 379.0, 621.0, 518.0, 578.0),
    "guct*-normal2": (567.2, 533.8, 263.0, 341.0, 618.0, 511.4, 567.8),
    "ttts-normal": (181.0, 180.0, 171.4, 170.8, 151.0, 180.6, 150.6),
    "ttts-normal*": (189.4, 186.4, 177.4, 174.4, 159.4, 185.8, 155.8),
    "gbfs": (538.0, 518.0, 224.0, 354.0, None, 489.0, None),
}

# Per domain: how many instances were used (None: all there are), and the coverage of GUCT-Normal2 and GBFS with FF.
DOMAINS: dict[str, tuple[int | None, float, float]] = {
    "airport": (None, 22, 27),
    "barman-opt14-strips": (None, 6, 0),
    "blocks": (None, 29.8, 31),
    "depot": (None, 8.8, 7),
    "driverlog": (None, 14.2, 14),
    "freecell": (34, 34, 34),
    "grid": (None, 3.6, 4),
    "gripper": (None, 20, 13),
    "logistics00": (None, 27.4, 26),
    "logistics98": (31, 10.6, 12),
    "miconic": (None, 150, 150),
    "movie": (None, 30, 30),
    "mystery": (None, 15.2, 16),
    "openstacks-strips": (None, 27, 21),
    "pipesworld-notankage": (None, 26.4, 23),
    "pipesworld-tankage": (26, 12.8, 9),
    "psr-small": (None, 44.8, 47),
    "rovers": (None, 18.8, 17),
    "tpp": (None, 23.6, 9),
    "trucks-strips": (None, 6.4, 8),
    "visitall-opt11-strips": (None, 19.6, 14),
    "visitall-opt14-strips": (None, 13.4, 7),
    "zenotravel": (None, 17.4, 19),
}
