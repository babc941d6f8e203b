; A leak under the house spills; the bath and the kitchen want water, the cellar must stay dry.
(define (problem old-house)
  (:domain plumbing)
  (:objects main shaft hall bath kitchen cellar - node v1 v2 v3 v4 v5 v6 - valve)
  (:init
    (source main)
    (pipe v1 main shaft) (pipe v2 shaft hall) (pipe v3 hall bath)
    (pipe v4 hall kitchen) (pipe v5 kitchen cellar) (pipe v6 shaft cellar)
    (open v1) (open v2) (open v5)
    (leaky hall))
  (:goal (and (reached bath) (reached kitchen) (dry cellar) (not (spilling)) (repaired hall))))
