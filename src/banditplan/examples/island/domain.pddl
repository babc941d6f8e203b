; Unsolvable at a glance: the goal needs a bridge that no action builds, even if nothing were ever undone.
(define (domain island)
  (:requirements :strips :typing)
  (:types shore)
  (:predicates (at ?s - shore) (bridge ?a ?b - shore) (searched ?s - shore))

  (:action cross
    :parameters (?a ?b - shore)
    :precondition (and (at ?a) (bridge ?a ?b))
    :effect (and (not (at ?a)) (at ?b)))

  (:action search
    :parameters (?s - shore)
    :precondition (at ?s)
    :effect (searched ?s)))
