; Five crates, four floors, a lift for two.
(define (problem moving-day)
  (:domain crates)
  (:objects
    piano books lamp plant trunk - crate
    ground first second attic - floor
    n0 n1 n2 - count)
  (:init
    (above first ground) (above second first) (above attic second)
    (successor n0 n1) (successor n1 n2)
    (lift-at ground) (room n2)
    (stored piano attic) (stored books attic) (stored lamp second) (stored plant first) (stored trunk attic))
  (:goal (and
    (stored piano ground) (stored books ground) (stored lamp ground) (stored trunk ground) (stored plant attic))))
