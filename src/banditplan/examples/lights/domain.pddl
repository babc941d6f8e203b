; Conditional effects: a switch turns every lamp wired to it, on or off, as it finds it.
(define (domain lights)
  (:requirements :adl)
  (:types switch lamp)
  (:predicates (wired ?s - switch ?l - lamp) (on ?l - lamp) (fuse-blown))

  (:action press
    :parameters (?s - switch)
    :precondition (not (fuse-blown))
    :effect (and
      (forall (?l - lamp) (when (and (wired ?s ?l) (on ?l)) (not (on ?l))))
      (forall (?l - lamp) (when (and (wired ?s ?l) (not (on ?l))) (on ?l)))))

  ; the main switch leaves one chosen lamp burning
  (:action reset
    :parameters (?keep - lamp)
    :precondition (not (fuse-blown))
    :effect (and (forall (?l - lamp) (not (on ?l))) (on ?keep))))
