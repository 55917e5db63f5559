import Localisation

/// The product's own filters, live and settled.
enum FilterMethod {
    /// Returns what is shown live, window by window. Nothing after a window is used.
    static func live(_ model: BuildingModel, _ windows: SecondWindows) -> [String: [Guess]] {
        var scratch = FilterScratch()
        return windows.windows.mapValues { windows in
            var filter = SubjectFilter(model)
            var stillness = Stillness()
            var shown = ShownRoom()
            var inside = InsideJudge()
            return windows.compactMap { window in
                let isAtRest = stillness.update(window.signals, time: window.end)
                filter.step(model, window, scratch: &scratch)
                let floors = inside.weigh(model, filter.floors, window)
                guard let estimate = Estimate(model, floors, flattening: model.settings.flattening) else {
                    return nil
                }
                var guess = guess(estimate, at: window.end)
                guess.shown = shown.update(
                    estimate, time: window.end, isAtRest: isAtRest && !inside.hasCrossed(at: window.end))
                return guess
            }
        }
    }

    /// Returns what is stored, window by window.
    static func settled(_ model: BuildingModel, _ windows: SecondWindows) -> [String: [Guess]] {
        var scratch = FilterScratch()
        return windows.windows.mapValues { windows in
            var filter = SettledFilter(model)
            var settled = windows.flatMap {
                filter.add(model, $0, scratch: &scratch)
            }
            settled += filter.finish(model, scratch: &scratch)
            return settled.map { guess($0.estimate, at: $0.time) }
        }
    }

    private static func guess(_ estimate: Estimate, at time: Double) -> Guess {
        Guess(
            time: time, floor: estimate.floor, position: estimate.position, radius: estimate.radius,
            room: estimate.best.room, probability: estimate.best.probability)
    }
}
