; The treasure island has no bridge.
(define (problem treasure)
  (:domain island)
  (:objects village cape reef treasure-island - shore)
  (:init
    (at village)
    (bridge village cape) (bridge cape village) (bridge cape reef) (bridge reef cape)
    (bridge treasure-island reef))
  (:goal (searched treasure-island)))
