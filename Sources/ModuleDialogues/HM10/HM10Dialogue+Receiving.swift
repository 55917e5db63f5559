import BeaconModel

/// Answers of the module, and answers that do not come.
extension HM10Dialogue {
    mutating func received(_ bytes: [UInt8]) -> [ModuleStep] {
        guard phase != .ended, phase != .idle else { return [] }
        bytesHeard += bytes.count
        heard += bytes
        if heard.count > Self.longestAnswer { heard.removeFirst(heard.count - Self.longestAnswer) }
        // Bytes sent before a restart are noise.
        switch phase {
        case .restarting, .draining: return []
        default: return [.wait(Self.pauseAfterAnswer)]
        }
    }

    mutating func deadlinePassed() -> [ModuleStep] {
        let answer = String(
            decoding: heard.filter { $0 > 0x20 && $0 < 0x7F || $0 == 0x20 }, as: UTF8.self)
        heard.removeAll()
        switch phase {
        case .idle, .ended, .awaitingAssignment: return []
        case .greeting(let index): return answer.contains("OK") ? greeted(answer) : greet(index + 1)
        case .restarting: return greet(0)
        case .draining(let next): return send(next)
        case .watching:
            if answer.contains("OK+CONN") {
                // `AT` disconnects the central.
                owesNews = true
                return [.lost(.central)] + ask(.greeting(0))
            }
            return ask(.askingAddress)
        default: break
        }
        if answer.isEmpty || !understood(answer) {
            repeats += 1
            return repeats <= Self.mostRepeats ? send(phase) : unanswered()
        }
        owedAnswers = max(0, owedAnswers - 1)
        return answered(answer)
    }

    private func understood(_ answer: String) -> Bool {
        switch phase {
        case .askingAddress, .identifying: Self.address(answer) != nil
        case .reading: Self.value(answer) != nil
        case .setting: answer.contains("OK+Set")
        case .sendingReset: answer.contains("OK+RESET")
        default: true
        }
    }

    private mutating func greeted(_ answer: String) -> [ModuleStep] {
        let steps: [ModuleStep] = isWatching ? [] : [.report(.greeted(baudRate: baudRate))]
        return steps + ask(.askingAddress)
    }

    private mutating func answered(_ answer: String) -> [ModuleStep] {
        switch phase {
        case .askingAddress:
            let before = address
            address = Self.address(answer)
            if before != nil, before != address { assignment = nil }
            if isWatching, before == address { return ask(.reading(.uuid0)) }
            isWatching = false
            return address.map { [.report(.address($0))] + ask(.askingVersion) } ?? []
        case .askingVersion:
            firmware = answer
            return [.report(.firmwareVersion(answer))] + ask(.reading(.uuid0))
        case .reading(let setting):
            found.values[setting] = Self.value(answer)
            return readNext(after: setting)
        case .setting(let setting):
            wasSet = true
            return setNext(after: setting)
        case .sendingReset: return restart()
        case .identifying(let left):
            return left > 0 ? send(.identifying(questionsLeft: left - 1)) : watch()
        default: return []
        }
    }

    private mutating func unanswered() -> [ModuleStep] {
        switch phase {
        case .askingVersion: return ask(.reading(.uuid0))
        case .reading(let setting):
            // This firmware does not know the setting.
            found.values[setting] = nil
            return readNext(after: setting)
        case .sendingReset: return restart()
        case .setting(let setting):
            return fail(.settingRefused(command: command(for: .setting(setting)) ?? setting.rawValue))
        default:
            restarts += 1
            guard restarts <= Self.mostRestarts else {
                return fail(.timedOut(command: command(for: phase) ?? "AT", purpose: "identify the module"))
            }
            if isWatching { owesNews = true }
            let loss: [ModuleStep] = isWatching ? [.lost(.central)] : [.report(.retrying("no answer"))]
            return loss + greet(0)
        }
    }
}
