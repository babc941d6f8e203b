; Plain STRIPS: loaves are mixed, shaped and baked with one bowl, one table and one oven.
(define (domain bakery)
  (:requirements :strips)
  (:predicates
    (loaf ?l) (bowl ?b) (oven ?o)
    (ordered ?l) (mixed-in ?l ?b) (shaped ?l) (inside ?l ?o) (baked ?l)
    (clean ?b) (dirty ?b) (empty ?o) (hot ?o) (cold ?o))

  (:action wash
    :parameters (?b)
    :precondition (and (bowl ?b) (dirty ?b))
    :effect (and (not (dirty ?b)) (clean ?b)))

  (:action mix
    :parameters (?l ?b)
    :precondition (and (loaf ?l) (bowl ?b) (ordered ?l) (clean ?b))
    :effect (and (not (ordered ?l)) (not (clean ?b)) (mixed-in ?l ?b)))

  (:action shape
    :parameters (?l ?b)
    :precondition (and (loaf ?l) (bowl ?b) (mixed-in ?l ?b))
    :effect (and (not (mixed-in ?l ?b)) (dirty ?b) (shaped ?l)))

  (:action heat
    :parameters (?o)
    :precondition (and (oven ?o) (cold ?o))
    :effect (and (not (cold ?o)) (hot ?o)))

  (:action shove-in
    :parameters (?l ?o)
    :precondition (and (loaf ?l) (oven ?o) (shaped ?l) (hot ?o) (empty ?o))
    :effect (and (not (shaped ?l)) (not (empty ?o)) (inside ?l ?o)))

  ; each baking uses up the heat
  (:action bake
    :parameters (?l ?o)
    :precondition (and (loaf ?l) (oven ?o) (inside ?l ?o) (hot ?o))
    :effect (and (not (inside ?l ?o)) (not (hot ?o)) (cold ?o) (empty ?o) (baked ?l))))
