; Unsolvable: pulling one lever lets another one go, so that all three are never down at once.
(define (domain levers)
  (:requirements :strips :typing)
  (:types lever)
  (:predicates (up ?l - lever) (down ?l - lever) (follows ?a ?b - lever) (door-open))

  (:action pull
    :parameters (?a ?b - lever)
    :precondition (and (up ?a) (follows ?a ?b))
    :effect (and (not (up ?a)) (down ?a) (not (down ?b)) (up ?b)))

  (:action release
    :parameters (?a - lever)
    :precondition (down ?a)
    :effect (and (not (down ?a)) (up ?a)))

  (:action open-door
    :parameters (?a ?b ?c - lever)
    :precondition (and (follows ?a ?b) (follows ?b ?c) (down ?a) (down ?b) (down ?c))
    :effect (door-open)))
