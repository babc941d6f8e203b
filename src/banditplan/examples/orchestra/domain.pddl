; Quantifiers: an orchestra takes its seats by rules with exists, forall, imply and or.
(define (domain orchestra)
  (:requirements :adl)
  (:types player chair stand)
  (:predicates
    (sits ?p - player ?c - chair)
    (next ?c ?d - chair)
    (serves ?s - stand ?c - chair)
    (set-up ?s - stand)
    (soloist ?p - player)
    (quarrel ?p ?q - player)
    (tuned ?p - player)
    (begun))

  (:action set-up-stand
    :parameters (?s - stand)
    :precondition (not (set-up ?s))
    :effect (set-up ?s))

  ; a chair is free, has a stand, and nobody next to it has a quarrel with the player
  (:action seat
    :parameters (?p - player ?c - chair)
    :precondition (and
      (not (exists (?d - chair) (sits ?p ?d)))
      (not (exists (?q - player) (sits ?q ?c)))
      (exists (?s - stand) (and (serves ?s ?c) (set-up ?s)))
      (forall (?q - player ?d - chair)
        (imply (and (sits ?q ?d) (or (next ?c ?d) (next ?d ?c)))
               (not (or (quarrel ?p ?q) (quarrel ?q ?p))))))
    :effect (sits ?p ?c))

  (:action stand-up
    :parameters (?p - player ?c - chair)
    :precondition (and (sits ?p ?c) (not (begun)))
    :effect (and (not (sits ?p ?c)) (not (tuned ?p))))

  ; one tunes to a soloist who sits, or is the soloist
  (:action tune
    :parameters (?p - player)
    :precondition (and
      (exists (?c - chair) (sits ?p ?c))
      (or (soloist ?p)
          (exists (?q - player ?c - chair) (and (soloist ?q) (tuned ?q) (sits ?q ?c)))))
    :effect (tuned ?p))

  (:action begin
    :parameters ()
    :precondition (forall (?p - player) (tuned ?p))
    :effect (begun)))
