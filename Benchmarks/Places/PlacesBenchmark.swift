import FloorPlans
import Glibc
import Localisation

@main
struct PlacesBenchmark {
    static func main() {
        let directory = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "../shared/data"
        for recording in FlatConverter.recordings(directory) + LibraryConverter.recordings(directory) {
            for gp in [0, 1] {
                var settings = RadioSettings()
                var wall = 4.0
                for pair in CommandLine.arguments.dropFirst(2) {
                    let parts = pair.split(separator: "=")
                    let v = Double(parts[1])!
                    switch parts[0] {
                    case "n": settings.exponent = v
                    case "te": settings.temper = v
                    case "v": settings.speed = v
                    case "sd": settings.deviation = v
                    case "fl": settings.flattening = v
                    case "sfl": settings.settledFlattening = v
                    case "drift": settings.offsetDrift = v
                    case "od": settings.offsetDeviation = v
                    case "ds": settings.doorShare = v
                    case "ch": settings.carryingHeight = v
                    case "wall": wall = v
                    default: break
                    }
                }
                var model = BuildingModel(
                    plans: recording.plans.map {
                        var p = $0
                        p.wallAttenuation = wall
                        return p
                    }, receivers: recording.receivers, settings: settings)
                if gp > 0 {
                    if recording.survey.isEmpty { continue }
                    if let c = SurveyCheck(model, recording.survey) {
                        print("# survey", c.before, c.after, c.isImprovement)
                    }
                    model = model.surveyed(recording.survey)
                }
                let windows = SecondWindows(
                    recording.readings,
                    length: CommandLine.arguments.dropFirst(2).first { $0.hasPrefix("len=") }.map {
                        Double($0.dropFirst(4))!
                    } ?? 1)
                for (name, guesses, isLive) in [
                    ("live", FilterMethod.live(model, windows), true),
                    ("settled", FilterMethod.settled(model, windows), false),
                ] {
                    var score = Score()
                    for truth in recording.truth {
                        score.add(guess(guesses[truth.subject] ?? [], truth.time, isLive: isLive), truth)
                    }
                    print(
                        recording.name + "_gp\(gp)", name, score.accuracy ?? 0, score.macroF1 ?? 0, score.meanError!,
                        score.error(percentile: 50)!, score.error(percentile: 90)!, score.coverage!,
                        score.calibrationError ?? 0)
                    if CommandLine.arguments.contains("c=1") { print(score.confusion) }
                }
            }
        }

    }
    static func guess(_ guesses: [Guess], _ time: Double, isLive: Bool) -> Guess? {
        var (low, high) = (0, guesses.count)
        while low < high {
            let middle = (low + high) / 2
            if guesses[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low < guesses.count ? guesses[low] : guesses.last
    }
}
