; Negative preconditions: beds are watered once, and nobody may step on a bed that is wet.
(define (domain garden)
  (:requirements :strips :typing :negative-preconditions)
  (:types bed)
  (:predicates (at ?b - bed) (path ?a ?b - bed) (wet ?b - bed) (filled) (well ?b - bed))

  (:action walk
    :parameters (?a ?b - bed)
    :precondition (and (at ?a) (path ?a ?b) (not (wet ?b)))
    :effect (and (not (at ?a)) (at ?b)))

  (:action fill
    :parameters (?b - bed)
    :precondition (and (at ?b) (well ?b) (not (filled)))
    :effect (filled))

  ; water the next bed from where one stands
  (:action water
    :parameters (?a ?b - bed)
    :precondition (and (at ?a) (path ?a ?b) (filled) (not (wet ?b)))
    :effect (and (wet ?b) (not (filled)))))
