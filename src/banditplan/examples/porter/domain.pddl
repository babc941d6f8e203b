; A porter with two hands carries suitcases upstairs: where greedy search gets lost among equals, a bandit does not.
(define (domain porter)
  (:requirements :strips :typing)
  (:types floor hand suitcase)
  (:predicates (porter-at ?f - floor) (stands ?s - suitcase ?f - floor) (holds ?h - hand ?s - suitcase) (free ?h - hand))

  (:action walk
    :parameters (?from ?to - floor)
    :precondition (porter-at ?from)
    :effect (and (not (porter-at ?from)) (porter-at ?to)))

  (:action lift
    :parameters (?s - suitcase ?h - hand ?f - floor)
    :precondition (and (stands ?s ?f) (porter-at ?f) (free ?h))
    :effect (and (holds ?h ?s) (not (stands ?s ?f)) (not (free ?h))))

  (:action put-down
    :parameters (?s - suitcase ?h - hand ?f - floor)
    :precondition (and (holds ?h ?s) (porter-at ?f))
    :effect (and (stands ?s ?f) (free ?h) (not (holds ?h ?s)))))
