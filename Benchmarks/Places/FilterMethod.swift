import Localisation

/// The product's filter, live and settled.
enum FilterMethod {
    static let len: Double =
        CommandLine.arguments.dropFirst(2).first { $0.hasPrefix("len=") }.map { Double($0.dropFirst(4))! } ?? 1
    static func live(_ model: BuildingModel, _ windows: SecondWindows) -> [String: [Guess]] {
        var scratch = FilterScratch()
        return windows.windows.mapValues { windows in
            var filter = SubjectFilter(model)
            return windows.compactMap { window in
                filter.step(model, window.signals, time: window.end, window: Self.len, scratch: &scratch)
                return Estimate(model, filter.floors, flattening: model.settings.flattening).map {
                    guess($0, at: window.end)
                }
            }
        }
    }

    static func settled(_ model: BuildingModel, _ windows: SecondWindows) -> [String: [Guess]] {
        var scratch = SettledScratch()
        return windows.windows.mapValues { windows in
            var filter = SettledFilter(model)
            var settled = windows.flatMap {
                filter.add(model, $0.signals, time: $0.end, window: Self.len, scratch: &scratch)
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
