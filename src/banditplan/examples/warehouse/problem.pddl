; A working day: three pallets arrive, two leave, and one changes its shelf.
(define (problem day1)
  (:domain warehouse)
  (:objects
    dock-in dock-out - dock
    north south east middle - crossing
    n1 n2 n3 s1 s2 s3 - shelf
    lift1 lift2 - robot
    tea rice soap wine salt silk - pallet)
  (:init
    (= (total-cost) 0)
    (aisle dock-in north) (aisle north dock-in) (= (metres dock-in north) 4) (= (metres north dock-in) 4)
    (aisle dock-in south) (aisle south dock-in) (= (metres dock-in south) 4) (= (metres south dock-in) 4)
    (aisle north n1) (aisle n1 north) (= (metres north n1) 2) (= (metres n1 north) 2)
    (aisle n1 n2) (aisle n2 n1) (= (metres n1 n2) 2) (= (metres n2 n1) 2)
    (aisle n2 n3) (aisle n3 n2) (= (metres n2 n3) 2) (= (metres n3 n2) 2)
    (aisle n3 east) (aisle east n3) (= (metres n3 east) 3) (= (metres east n3) 3)
    (aisle south s1) (aisle s1 south) (= (metres south s1) 2) (= (metres s1 south) 2)
    (aisle s1 s2) (aisle s2 s1) (= (metres s1 s2) 2) (= (metres s2 s1) 2)
    (aisle s2 s3) (aisle s3 s2) (= (metres s2 s3) 2) (= (metres s3 s2) 2)
    (aisle s3 east) (aisle east s3) (= (metres s3 east) 3) (= (metres east s3) 3)
    (aisle east dock-out) (aisle dock-out east) (= (metres east dock-out) 4) (= (metres dock-out east) 4)
    (aisle n2 middle) (aisle middle n2) (= (metres n2 middle) 5) (= (metres middle n2) 5)
    (aisle middle s2) (aisle s2 middle) (= (metres middle s2) 5) (= (metres s2 middle) 5)
    (aisle north south) (aisle south north) (= (metres north south) 6) (= (metres south north) 6)
    (at lift1 dock-in) (occupied dock-in)
    (at lift2 east) (occupied east)
    (stands tea dock-in) (stands rice dock-in) (stands soap dock-in)
    (stands wine n1) (taken n1)
    (stands salt n3) (taken n3)
    (stands silk s2) (taken s2))
  (:goal (and
    (stands tea n1) (stands rice s3) (stands soap s1)
    (stands wine dock-out) (stands salt dock-out) (stands silk n2)
    (forall (?r - robot) (not (loaded ?r)))))
  (:metric minimize (total-cost)))
