; Five beds around a well; the gardener must not cut herself off.
(define (problem dry-summer)
  (:domain garden)
  (:objects rose mint kale bean leek - bed)
  (:init
    (at rose) (well mint)
    (path rose mint) (path mint rose)
    (path mint kale) (path kale mint)
    (path kale bean) (path bean kale)
    (path mint leek) (path leek mint))
  (:goal (and (wet rose) (wet kale) (wet bean) (wet leek) (not (filled)) (at mint))))
