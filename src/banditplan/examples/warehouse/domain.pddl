; The demonstration: two robots sort pallets from the dock into racks, one pallet per shelf, on narrow aisles.
(define (domain warehouse)
  (:requirements :adl :action-costs)
  (:types spot robot pallet - object dock shelf crossing - spot)
  (:predicates
    (aisle ?a ?b - spot)
    (at ?r - robot ?s - spot)
    (occupied ?s - spot)
    (stands ?p - pallet ?s - spot)
    (taken ?s - shelf)
    (carries ?r - robot ?p - pallet)
    (loaded ?r - robot))
  (:functions (metres ?a ?b - spot) - number (total-cost) - number)

  (:action drive
    :parameters (?r - robot ?a ?b - spot)
    :precondition (and (at ?r ?a) (aisle ?a ?b) (not (occupied ?b)))
    :effect (and
      (not (at ?r ?a)) (not (occupied ?a)) (at ?r ?b) (occupied ?b)
      (increase (total-cost) (metres ?a ?b))))

  (:action lift-from-dock
    :parameters (?r - robot ?p - pallet ?s - dock)
    :precondition (and (at ?r ?s) (stands ?p ?s) (not (loaded ?r)))
    :effect (and (not (stands ?p ?s)) (carries ?r ?p) (loaded ?r) (increase (total-cost) 2)))

  (:action lift-from-shelf
    :parameters (?r - robot ?p - pallet ?s - shelf)
    :precondition (and (at ?r ?s) (stands ?p ?s) (not (loaded ?r)))
    :effect (and
      (not (stands ?p ?s)) (not (taken ?s)) (carries ?r ?p) (loaded ?r)
      (increase (total-cost) 3)))

  (:action store
    :parameters (?r - robot ?p - pallet ?s - shelf)
    :precondition (and (at ?r ?s) (carries ?r ?p) (not (taken ?s)))
    :effect (and
      (not (carries ?r ?p)) (not (loaded ?r)) (stands ?p ?s) (taken ?s)
      (increase (total-cost) 3)))

  (:action ship
    :parameters (?r - robot ?p - pallet ?s - dock)
    :precondition (and (at ?r ?s) (carries ?r ?p))
    :effect (and (not (carries ?r ?p)) (not (loaded ?r)) (stands ?p ?s) (increase (total-cost) 2))))
