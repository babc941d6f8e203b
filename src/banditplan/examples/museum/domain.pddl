; A hierarchy of types: a museum moves paintings by trolley and statues by van.
(define (domain museum)
  (:requirements :strips :typing)
  (:types
    room yard - place
    artwork carrier - thing
    painting statue - artwork
    trolley van - carrier)
  (:predicates
    (at ?t - thing ?p - place)
    (on ?a - artwork ?c - carrier)
    (door ?p ?q - place)
    (gate ?p ?q - yard)
    (free ?c - carrier))

  (:action push
    :parameters (?t - trolley ?p ?q - place)
    :precondition (and (at ?t ?p) (door ?p ?q))
    :effect (and (not (at ?t ?p)) (at ?t ?q)))

  (:action drive
    :parameters (?v - van ?p ?q - yard)
    :precondition (and (at ?v ?p) (gate ?p ?q))
    :effect (and (not (at ?v ?p)) (at ?v ?q)))

  (:action hang-on
    :parameters (?a - painting ?c - trolley ?p - place)
    :precondition (and (at ?a ?p) (at ?c ?p) (free ?c))
    :effect (and (not (at ?a ?p)) (not (free ?c)) (on ?a ?c)))

  (:action hoist
    :parameters (?a - artwork ?c - van ?p - yard)
    :precondition (and (at ?a ?p) (at ?c ?p) (free ?c))
    :effect (and (not (at ?a ?p)) (not (free ?c)) (on ?a ?c)))

  (:action put-down
    :parameters (?a - artwork ?c - carrier ?p - place)
    :precondition (and (on ?a ?c) (at ?c ?p))
    :effect (and (not (on ?a ?c)) (free ?c) (at ?a ?p))))
