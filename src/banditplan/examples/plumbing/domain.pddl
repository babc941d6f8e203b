; Derived predicates: water flows through open valves, which a recursive rule follows.
(define (domain plumbing)
  (:requirements :adl :derived-predicates)
  (:types node valve)
  (:predicates
    (pipe ?v - valve ?a ?b - node)
    (open ?v - valve)
    (source ?n - node)
    (leaky ?n - node)
    (repaired ?n - node)
    (flooded ?n - node)
    (reached ?n - node)
    (dry ?n - node)
    (spilling))

  (:derived (reached ?n - node)
    (or (source ?n)
        (exists (?m - node ?v - valve)
          (and (reached ?m) (open ?v) (or (pipe ?v ?m ?n) (pipe ?v ?n ?m))))))

  (:derived (dry ?n - node) (not (reached ?n)))

  (:derived (spilling) (exists (?n - node) (and (leaky ?n) (not (dry ?n)))))

  (:action turn-on
    :parameters (?v - valve)
    :precondition (and (not (open ?v)) (not (spilling)))
    :effect (open ?v))

  (:action turn-off
    :parameters (?v - valve)
    :precondition (open ?v)
    :effect (not (open ?v)))

  ; a leak is mended only while no water comes there
  (:action mend
    :parameters (?n - node)
    :precondition (and (leaky ?n) (dry ?n))
    :effect (and (not (leaky ?n)) (repaired ?n))))
