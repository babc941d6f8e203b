; Action costs: a cyclist chooses between short steep roads and long flat ones.
(define (domain courier)
  (:requirements :strips :typing :action-costs)
  (:types spot letter)
  (:predicates
    (here ?s - spot)
    (road ?a ?b - spot)
    (waits ?l - letter ?s - spot)
    (carried ?l - letter)
    (delivered ?l - letter ?s - spot))
  (:functions
    (effort ?a ?b - spot) - number
    (total-cost) - number)

  (:action ride
    :parameters (?a ?b - spot)
    :precondition (and (here ?a) (road ?a ?b))
    :effect (and (not (here ?a)) (here ?b) (increase (total-cost) (effort ?a ?b))))

  (:action pick
    :parameters (?l - letter ?s - spot)
    :precondition (and (here ?s) (waits ?l ?s))
    :effect (and (not (waits ?l ?s)) (carried ?l) (increase (total-cost) 1)))

  ; handing over costs nothing
  (:action hand-over
    :parameters (?l - letter ?s - spot)
    :precondition (and (here ?s) (carried ?l))
    :effect (and (not (carried ?l)) (delivered ?l ?s))))
