; Numbers without arithmetic: a lift of limited capacity, counted by successor facts, brings crates down.
(define (domain crates)
  (:requirements :strips :typing)
  (:types crate floor count)
  (:predicates
    (lift-at ?f - floor) (above ?f ?g - floor)
    (stored ?c - crate ?f - floor) (aboard ?c - crate)
    (room ?n - count) (successor ?m ?n - count))

  (:action up
    :parameters (?f ?g - floor)
    :precondition (and (lift-at ?f) (above ?g ?f))
    :effect (and (not (lift-at ?f)) (lift-at ?g)))

  (:action down
    :parameters (?f ?g - floor)
    :precondition (and (lift-at ?f) (above ?f ?g))
    :effect (and (not (lift-at ?f)) (lift-at ?g)))

  (:action load
    :parameters (?c - crate ?f - floor ?n ?m - count)
    :precondition (and (lift-at ?f) (stored ?c ?f) (room ?n) (successor ?m ?n))
    :effect (and (not (stored ?c ?f)) (aboard ?c) (not (room ?n)) (room ?m)))

  (:action unload
    :parameters (?c - crate ?f - floor ?n ?m - count)
    :precondition (and (lift-at ?f) (aboard ?c) (room ?m) (successor ?m ?n))
    :effect (and (not (aboard ?c)) (stored ?c ?f) (not (room ?m)) (room ?n))))
