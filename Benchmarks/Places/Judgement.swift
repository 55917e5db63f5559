import FloorPlans
import Localisation

/// All figures of one recording.
struct Judgement {
    /// A method with what it scored.
    struct Row {
        var name: String
        var score: Score
        var changes: RoomChanges?
    }

    let recording: Recording
    /// What cross-validation says of the survey; `nil` without one.
    private(set) var survey: SurveyCheck?
    private(set) var rows: [Row] = []
    /// Scores with nothing calibrated.
    private(set) var plainLive = Score()
    private(set) var plainSettled = Score()
    /// Scores of the product as it would run: with the survey, if cross-validation accepts it.
    private(set) var live = Score()
    private(set) var settled = Score()
    private(set) var changes = RoomChanges()
    /// Bytes of the model.
    private(set) var memory = 0

    init(_ recording: Recording) {
        self.recording = recording
        let windows = SecondWindows(recording.readings)
        let truth = Dictionary(grouping: recording.truth, by: \.subject)
        func score(_ guesses: [String: [Guess]]) -> (Score, RoomChanges) {
            var score = Score()
            var changes = RoomChanges()
            for (subject, positions) in truth.sorted(by: { $0.key < $1.key }) {
                let guesses = guesses[subject] ?? []
                for position in positions { score.add(Self.guess(guesses, position.time), position) }
                changes.add(guesses, positions)
            }
            return (score, changes)
        }
        let plain = BuildingModel(plans: recording.plans, receivers: recording.receivers)
        memory = plain.memory
        for method in PeerMethods.all(recording) {
            rows.append(Row(name: method.name, score: score(PeerMethods.guesses(method, recording, windows)).0))
        }
        (plainLive, changes) = score(FilterMethod.live(plain, windows))
        plainSettled = score(FilterMethod.settled(plain, windows)).0
        rows.append(Row(name: "filter, live", score: plainLive, changes: changes))
        rows.append(Row(name: "filter, settled", score: plainSettled))
        (live, settled) = (plainLive, plainSettled)
        guard let check = SurveyCheck(plain, recording.survey) else { return }
        survey = check
        let model = plain.surveyed(recording.survey)
        let (surveyedLive, surveyedChanges) = score(FilterMethod.live(model, windows))
        let surveyedSettled = score(FilterMethod.settled(model, windows)).0
        rows.append(Row(name: "surveyed, live", score: surveyedLive, changes: surveyedChanges))
        rows.append(Row(name: "surveyed, settled", score: surveyedSettled))
        if check.isImprovement {
            (live, settled, changes) = (surveyedLive, surveyedSettled, surveyedChanges)
        }
    }

    /// Returns the guess of the window in which a time is.
    static func guess(_ guesses: [Guess], _ time: Double) -> Guess? {
        var (low, high) = (0, guesses.count)
        while low < high {
            let middle = (low + high) / 2
            if guesses[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        // Between two windows the subject was not heard, and the last one holds.
        if low < guesses.count, guesses[low].time - time <= 1 { return guesses[low] }
        return low > 0 ? guesses[low - 1] : guesses.first
    }
}
