; A coach has arrived: 24 suitcases stand in the lobby, and all of them belong in the attic.
(define (problem coach)
  (:domain porter)
  (:objects
    lobby attic - floor
    left right - hand
    s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 s12
    s13 s14 s15 s16 s17 s18 s19 s20 s21 s22 s23 s24 - suitcase)
  (:init
    (porter-at lobby) (free left) (free right)
    (stands s1 lobby) (stands s2 lobby) (stands s3 lobby) (stands s4 lobby) (stands s5 lobby)
    (stands s6 lobby) (stands s7 lobby) (stands s8 lobby) (stands s9 lobby) (stands s10 lobby)
    (stands s11 lobby) (stands s12 lobby) (stands s13 lobby) (stands s14 lobby) (stands s15 lobby)
    (stands s16 lobby) (stands s17 lobby) (stands s18 lobby) (stands s19 lobby) (stands s20 lobby)
    (stands s21 lobby) (stands s22 lobby) (stands s23 lobby) (stands s24 lobby))
  (:goal (and
    (stands s1 attic) (stands s2 attic) (stands s3 attic) (stands s4 attic) (stands s5 attic)
    (stands s6 attic) (stands s7 attic) (stands s8 attic) (stands s9 attic) (stands s10 attic)
    (stands s11 attic) (stands s12 attic) (stands s13 attic) (stands s14 attic) (stands s15 attic)
    (stands s16 attic) (stands s17 attic) (stands s18 attic) (stands s19 attic) (stands s20 attic)
    (stands s21 attic) (stands s22 attic) (stands s23 attic) (stands s24 attic))))
