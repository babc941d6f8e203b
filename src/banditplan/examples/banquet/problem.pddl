; Four guests want to toast, and at the end everybody sits where his name card stands.
(define (problem wedding)
  (:domain banquet)
  (:objects emil fay gus hanna - guest w1 w2 e1 e2 - seat)
  (:init
    (at host head) (at emil w1) (at fay w2) (at gus e2) (at hanna e1)
    (beside head w1) (beside head e1)
    (beside w1 w2) (beside w2 w1) (beside e1 e2) (beside e2 e1)
    (beside w2 e2) (beside e2 w2))
  (:goal (and
    (toasted emil host) (toasted fay host) (toasted gus host) (toasted hanna host)
    (at emil e2) (at fay w1) (at gus w2) (at hanna e1))))
