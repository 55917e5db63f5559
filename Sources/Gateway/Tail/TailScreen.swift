import CommandSupport
import RecordContract

/// Output of `tail`: prints received messages.
actor TailScreen {
    private(set) var table: TailTable
    private(set) var reconnections = 0
    /// Error that ended the output.
    private(set) var failure: OutputClosed?
    private var hasTitles = false

    init(table: TailTable) { self.table = table }

    /// Handles the broker's confirmation of the subscription.
    func subscribed() {
        if hasTitles {
            reconnections += 1
            Terminal.note("reconnected")
        } else if let titles = table.titles {
            print(titles)
        }
        hasTitles = true
    }

    var wasSubscribed: Bool { hasTitles }

    /// Prints a message.
    ///
    /// - Returns: `false` once the output is closed.
    func show(_ message: MQTTMessage) -> Bool {
        switch table.take(message) {
        case .line(let line): print(line)
        case .note(let note): Terminal.note(note)
        case nil: break
        }
        return failure == nil
    }

    private func print(_ line: String) {
        do throws(OutputClosed) {
            try Terminal.print(line)
        } catch {
            failure = error
        }
    }

    func finish() {
        let broken = reconnections == 0 ? "" : "; reconnected \(reconnections)x"
        Terminal.note(table.summary + broken)
    }
}
