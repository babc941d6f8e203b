; Equality and constants: guests swap seats at a banquet, but the host keeps hers.
(define (domain banquet)
  (:requirements :strips :typing :equality :negative-preconditions)
  (:types guest seat)
  (:constants host - guest head - seat)
  (:predicates (at ?g - guest ?s - seat) (beside ?s ?t - seat) (toasted ?g ?h - guest))

  (:action swap
    :parameters (?g ?h - guest ?s ?t - seat)
    :precondition (and
      (not (= ?g ?h)) (not (= ?g host)) (not (= ?h host))
      (at ?g ?s) (at ?h ?t) (beside ?s ?t))
    :effect (and (not (at ?g ?s)) (not (at ?h ?t)) (at ?g ?t) (at ?h ?s)))

  ; whoever sits beside the head of the table drinks to the host
  (:action toast
    :parameters (?g - guest ?s - seat)
    :precondition (and (at host head) (at ?g ?s) (beside head ?s) (not (toasted ?g host)))
    :effect (toasted ?g host)))
