; Four players, one of whom sits already, in a seat that he cannot keep.
(define (problem rehearsal)
  (:domain orchestra)
  (:objects ada ben cleo dirk - player c1 c2 c3 c4 - chair left right - stand)
  (:init
    (next c1 c2) (next c2 c3) (next c3 c4)
    (serves left c1) (serves left c2) (serves right c3) (serves right c4)
    (soloist cleo)
    (quarrel ada ben) (quarrel ben cleo)
    (sits dirk c4))
  (:goal (and
    (begun)
    (exists (?p - player) (and (soloist ?p) (sits ?p c1)))
    (forall (?p - player) (imply (soloist ?p) (tuned ?p)))
    (or (sits ben c2) (sits ben c4)))))
