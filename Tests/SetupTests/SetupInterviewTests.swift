import BeaconModel
import ModuleDialogues
import OperatorText
import Testing

@testable import Setup

@Suite("Interview of setup") struct SetupInterviewTests {
    private static let broken = DoctorFinding(
        "broker", .failed, "b:1883 refused", [.edit(nil, "correct mqtt.username")], exitStatus: .unavailable)

    @Test func `Questions are asked one after another, and the host's name is proposed for the gateway`() {
        var interview = SetupFixture.interview()
        #expect(interview.pass(.started).last?.asked == "place.site")
        #expect(interview.pass(.typed("campus")).last?.asked == "place.building")
        #expect(interview.pass(.typed("main")).last?.asked == "place.floor")
        let (said, last) = interview.pass(.typed("1"))
        #expect(last?.asked == "place.gateway")
        #expect(said == ["Name of this gateway [pi-7]: "])
        #expect(interview.pass(.typed("")).last?.asked == "mqtt.host")
        #expect(interview.answers["place.gateway"] == "pi-7")
    }

    @Test func `A wrong answer is refused with what is allowed, and asked again`() {
        var interview = SetupFixture.interview()
        _ = interview.pass(.started)
        let (said, last) = interview.pass(.typed("Büro Ost"))
        #expect(last?.asked == "place.site")
        #expect(said[0].hasPrefix("found \"Büro Ost\"; must be made up of a-z, 0-9 and hyphens"))
        #expect(said[0].hasSuffix(": buero-ost"))
    }

    @Test func `Answers of a file are not asked for, and their source is shown`() {
        var interview = SetupFixture.interview(given: ["place.site": "campus"])
        let (said, last) = interview.pass(.started)
        #expect(last?.asked == "place.building")
        #expect(said.contains("Site: campus (answers file)"))
    }

    @Test func `Without a terminal a whole file suffices, and proposals count for the rest`() {
        var interview = SetupFixture.interview(given: SetupFixture.answers, canAsk: false)
        let (said, last) = interview.pass(.started)
        #expect(last?.isFinished == true, "\(said)")
        #expect(said.contains("Port: 8883 (default)"))
        #expect(said.contains("Password of this user: (not shown) (answers file)"))
        #expect(!said.contains { $0.contains("secret") })
        #expect(interview.answers["mqtt.username"] == "campus/main/1/east")
    }

    @Test func `Without a terminal a missing answer is an error that names its key`() {
        var interview = SetupFixture.interview(given: ["place.site": "campus"], canAsk: false)
        let failure = interview.pass(.started).last?.failure
        #expect(failure == .missing("place.building", "Building"))
        #expect(failure?.exitStatus == .usage)
        #expect(failure?.remedy?.contains("[place] building = ...") == true)
        #expect(failure?.meaning == "nothing was changed")
    }

    @Test func `Without a terminal a wrong answer is an error that names its key`() {
        var given = SetupFixture.answers
        given["mqtt.port"] = "99999"
        var interview = SetupInterview(
            SetupFixture.script(), given: given, from: "floor-1.toml", keepAnyway: [], canAsk: false)
        let failure = interview.pass(.started).last?.failure
        #expect(
            failure?.what == """
                floor-1.toml has 1 problem
                  floor-1.toml: mqtt.port: found "99999"; must be a whole number from 1 to 65535
                """)
        #expect(failure?.remedy == "correct floor-1.toml, and run setup again")
        #expect(failure?.exitStatus == .data)
    }

    @Test func `Without a terminal all wrong answers of the file are named at once`() {
        var given = SetupFixture.answers
        given["place.site"] = "Main Campus"
        given["mqtt.port"] = "99999"
        given["beacons.uuids"] = "x"
        var interview = SetupFixture.interview(given: given, canAsk: false)
        guard case .wrongAnswers(let problems, _)? = interview.pass(.started).last?.failure else {
            Issue.record("the answers were taken")
            return
        }
        #expect(problems.map(\.location) == ["place.site", "mqtt.port", "beacons.uuids"])
    }

    @Test func `What a module may make right is not named beside a wrong answer`() {
        var given = SetupFixture.answers
        given["place.site"] = "Main Campus"
        given["beacons.uuids"] = "none"
        var interview = SetupFixture.interview(given: given, canAsk: false)
        guard case .wrongAnswers(let problems, _)? = interview.pass(.started).last?.failure else {
            Issue.record("the answers were taken")
            return
        }
        #expect(problems.map(\.location) == ["place.site"])
    }

    @Test func `What to do is a list without a second "or"`() {
        let finding = DoctorFinding(
            "broker", .failed, "refused",
            [.init("start it", "starts the broker"), .edit(nil, "or set a"), .edit(nil, "or, under [radio], set b")],
            exitStatus: .unavailable)
        let remedy = SetupFailure.testFailed("broker", [finding]).remedy
        #expect(
            remedy?.hasPrefix("start it (starts the broker); or set a; or under [radio], set b; or to go on") == true,
            "\(remedy ?? "")")
    }

    @Test func `After a failed test the questions are asked again, with the former answers as proposals`() {
        var interview = SetupFixture.interview(given: SetupFixture.answers)
        // What isn't in the file is answered by Enter.
        var (said, last) = interview.pass(.started, findings: ["broker": [Self.broken]])
        while let asked = last?.asked, asked != "decision" {
            (said, last) = interview.pass(.typed(""), findings: ["broker": [Self.broken]])
        }
        #expect(said.contains("failed broker b:1883 refused"))
        #expect(said.last == "Answer again, keep it anyway, or stop? [again]: ")
        (said, last) = interview.pass(.typed("a"))
        #expect(last?.asked == "mqtt.host")
        #expect(said.last == "Address of the MQTT broker [broker.example.org]: ")
        while let asked = last?.asked, asked != "mqtt.password" { (said, last) = interview.pass(.typed("")) }
        #expect(said.last == "Password of this user: ", "a secret is no proposal")
    }

    @Test func `A failure that is kept is left to do at the end`() {
        var interview = SetupFixture.interview(
            given: SetupFixture.answers, keepAnyway: ["broker"], canAsk: false)
        #expect(interview.pass(.started, findings: ["broker": [Self.broken]]).last?.isFinished == true)
        #expect(interview.left == [Self.broken])
    }

    @Test func `Without a terminal a failed test ends setup, and says what to do`() {
        var interview = SetupFixture.interview(given: SetupFixture.answers, canAsk: false)
        let failure = interview.pass(.started, findings: ["broker": [Self.broken]]).last?.failure
        #expect(failure?.what == "the test broker failed: b:1883 refused")
        #expect(failure?.remedy?.hasPrefix("correct mqtt.username; or ") == true)
        #expect(failure?.remedy?.contains("keep-anyway = [\"broker\"]") == true)
        #expect(failure?.exitStatus == .unavailable)
    }

    @Test func `The end of the input, and stop, end setup`() {
        var interview = SetupFixture.interview()
        _ = interview.pass(.started)
        #expect(interview.pass(.inputEnded).last?.failure == .inputEnded("place.site"))
        var other = SetupFixture.interview(given: SetupFixture.answers)
        var last = other.pass(.started, findings: ["broker": [Self.broken]]).last
        while let asked = last?.asked, asked != "decision" {
            last = other.pass(.typed(""), findings: ["broker": [Self.broken]]).last
        }
        #expect(other.pass(.typed("stop")).last?.failure == .stopped)
    }

    @Test func `Warnings do not stop setup, and are left to do`() {
        let warning = DoctorFinding("clock", .warning, "not synchronized")
        var interview = SetupFixture.interview(given: SetupFixture.answers, canAsk: false)
        #expect(interview.pass(.started, findings: ["clock": [warning]]).last?.isFinished == true)
        #expect(interview.left == [warning])
    }
}
