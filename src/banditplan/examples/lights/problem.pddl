; Six lamps, five switches, and all lamps shall burn.
(define (problem ballroom)
  (:domain lights)
  (:objects s1 s2 s3 s4 s5 - switch l1 l2 l3 l4 l5 l6 - lamp)
  (:init
    (wired s1 l1) (wired s1 l2) (wired s1 l3)
    (wired s2 l2) (wired s2 l4)
    (wired s3 l3) (wired s3 l4) (wired s3 l5)
    (wired s4 l5) (wired s4 l6)
    (wired s5 l1) (wired s5 l6)
    (on l2) (on l5))
  (:goal (forall (?l - lamp) (on ?l))))
