import Matching
import OperatorText
import TestValues
import Testing

@Suite struct PolicyFileTests {
    @Test(arguments: Policy.shippedNames)
    func `Every policy that comes with the program is good and has its file's name`(name: String) throws {
        let text = try #require(Policy.shippedText(name))
        #expect(try PolicyFile.parse(text, path: name).name == name)
    }

    /// A shipped policy with a line replaced.
    private func problems(_ name: String, _ line: String, _ replacement: String) throws -> [String] {
        let text = try #require(Policy.shippedText(name))
        #expect(text.contains(line))
        do throws(ConfigurationError) {
            _ = try PolicyFile.parse(text.replacing(line, with: replacement), path: "p.toml")
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test(
        "What is wrong is said with what is allowed",
        arguments: [
            ("radius = \"6m\"", "radius = \"6\"", "contact.otherwise.radius: found \"6\"; must be from 0.1m to 100m"),
            ("radius = \"6m\"\n", "", "contact.otherwise.radius: is missing; must be from 0.1m to 100m"),
            ("window = \"5m\"", "window = 5", "contact.otherwise.window: found 5; must have a unit, in quotes: \"5s\""),
            (
                "nearness = \"sum-of-distances\"", "nearness = \"near\"",
                "contact.otherwise.nearness: found \"near\"; must be \"sum-of-distances\" or \"probability\""
            ),
            (
                "period = \"episode\"", "period = \"day\"",
                "contact.otherwise.episode-gap: is given with period = \"day\"; omit it"
            ),
            ("least-minutes = 0", "last-minutes = 0", "contact.otherwise.last-minutes: is unknown; "),
            ("near = 0.86", "near = 0.87", "contact.near: found 0.87; must be one of 0.74, 0.76, 0.78 ... 0.98"),
            ("near = 0.86", "near = 0.94", "contact.close: is below near; must be at least near, 0.94"),
            ("close = 0.92", "", "contact.close: is missing; must be one of 0.74, 0.76, 0.78 ... 0.98"),
            ("[contact.probability]", "[contact.probable]", "contact.probability: is missing; "),
            (
                "run-bend = 4", "run-bend = 0",
                "contact.probability.run-bend: found 0; must be from 1 to 1440 minutes"
            ),
            ("run-bend = 4", "", "contact.probability.run-bend: is missing; "),
            ("run-beyond = 0.7", "", "contact.probability.run-beyond: is missing; "),
            ("from = 0,", "from = 2,", "risk.steps: do not begin at 0; the first must have from = 0"),
            ("days = 14", "days = 400", "risk.days: found 400; must be from 1 to 30"),
            ("confirmed = 1.0", "confirmed = -1.0", "report-types.confirmed: found -1.0; must be from 0.0 to 10.0"),
        ])
    func sixMetre(line: String, replacement: String, problem: String) throws {
        let problems = try problems("six-metre-five-minute", line, replacement)
        #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
    }

    @Test(
        "So it is of weights",
        arguments: [
            (
                "thresholds = [55, 67, 75]", "thresholds = [55, 75, 67]",
                "attenuation.thresholds: are not in ascending order; each must be above the previous one"
            ),
            (
                "weights = [1.75, 1.0, 0.33, 0.0]", "weights = [1.75, 1.0, 0.33]",
                "attenuation.weights: has 3 entries; must have 4: one more than there are thresholds"
            ),
            (
                "{ from = -4, to = -3, weight = 0.3 }", "{ from = -3, to = -4, weight = 0.3 }",
                "infectiousness.spans[0].to: found -4; must not be before from, -3"
            ),
            (
                "{ from = -4, to = -3, weight = 0.3 }", "{ from = -4, to = -2, weight = 0.3 }",
                "infectiousness.spans: overlap or are not in order; each must begin after the previous one"
            ),
            (
                "weights = [1.75, 1.0, 0.33, 0.0]", "weights = [0.0, 0.0, 0.0, 0.0]",
                "attenuation.weights: are all 0: nobody would ever be exposed; one must be above 0"
            ),
            (
                "confirmed = 1.0", "confirmed = 0.0",
                "report-types.confirmed: is 0: nothing would follow from a confirmed report; must be above 0"
            ),
        ])
    func exposureNotifications(line: String, replacement: String, problem: String) throws {
        let problems = try problems("en-v2", line, replacement)
        #expect(problems.contains(problem), "\(problems)")
    }

    private static let risk = "[risk]\nmeasure = \"exposures\"\ndays = 14\n"

    @Test(
        "A policy by which nobody could ever be told of anything is refused",
        arguments: [
            (
                risk + "steps = [{ level = \"low\", from = 0, label = \"none\" }]",
                "risk.steps: have the level \"low\" only: nobody would ever be notified; one must be above low"
            ),
            (
                "[infectiousness]\notherwise = 0\nunknown = 1\nspans = [{ from = 0, to = 3, weight = 0 }]",
                "infectiousness.otherwise: is 0, like each weight of spans: nobody would ever be infectious; one must "
                    + "be above 0"
            ),
        ])
    func nobody(table: String, problem: String) {
        do throws(ConfigurationError) {
            _ = try PolicyFile.parse(table, path: "p.toml")
            Issue.record("it was taken")
        } catch {
            #expect(error.problems.map(\.description).contains(problem), "\(error.problems)")
        }
    }

    @Test func `Any text is a policy or a list of problems`() {
        var random = SeededGenerator("policy texts")
        let texts = Policy.shippedNames.compactMap(Policy.shippedText)
        for round in 0..<400 {
            var bytes = Array(texts[round % texts.count].utf8)
            for _ in 0..<3 {
                let index = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: 32 + random.next() % 95)
                case 1: bytes.removeSubrange(index..<min(bytes.count, index + Int(random.next() % 20)))
                default: bytes.insert(contentsOf: bytes.prefix(Int(random.next() % 30)), at: index)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            do throws(ConfigurationError) {
                _ = try PolicyFile.parse(text, path: "p.toml")
            } catch {
                #expect(!error.problems.isEmpty, random.comment)
            }
        }
    }
}
