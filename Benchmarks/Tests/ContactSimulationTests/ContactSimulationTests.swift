import Testing

@testable import ContactsBenchmark

@Suite("Contacts of a simulated building", .timeLimit(.minutes(5))) struct ContactSimulationTests {
    private func results(
        _ options: ContactsOptions, _ world: World.Name = .offices, of days: [Walks]? = nil
    ) async throws -> ContactsResults {
        let directory = try StoreDirectory()
        defer { directory.remove() }
        return try await ContactsRun(options, world, seed: options.seeds[0], directory: directory.path).results(
            of: days)
    }

    // One beacon of each room, 60 pairs of 20 people in both directions. Measured at 0 % and 60 %: 57 % and 73 % of those who
    // were within 3 m of one beacon for 5 minutes are found; 100 % and 95 % of the found were within 6 m of each other for
    // 5 minutes, of those who were heard together 58 %; 88 % and 89 % of the distances are in the explained range.
    @Test func `Contacts are found, also when 60 % of the packets are lost`() async throws {
        var options = ContactsOptions()
        options.people = 20
        options.hours = 2
        options.interval = 4
        options.measuredPower = -64
        options.losses = [0, 0.6]
        for result in try await results(options).losses {
            let beacon = try #require(result.scores[.sameBeaconFive])
            let near = try #require(result.scores[.sixMetresFive])
            let range = try #require(result.ranges["six-metre-five-minute"]?.share)
            #expect(result.counts.defects == 0)
            #expect(beacon.contacts == 60 && near.contacts == 220)
            #expect(try #require(beacon.recall) > 0.45)
            #expect(try #require(near.found.precision) > 0.85)
            #expect(try #require(near.recall) > 0.22)
            #expect(try #require(near.coLocated.precision) < 0.65)
            #expect(range > 0.8)
        }
    }

    // Two sit at a table under the beacon of room 1, 0.8 m apart, for two hours; the third is in a room 13 m away, the fourth
    // in one across the corridor. Nothing is lost, and badges say what is received of them as they are worn.
    @Test func `Who sits together is found by both policies, and nobody else`() async throws {
        var options = ContactsOptions()
        options.people = 4
        options.interval = 4
        options.measuredPower = -64
        options.losses = [0]
        let seats: [Walks.Position] = [
            .init(x: 2.6, y: 5.4, facing: 0, room: 1), .init(x: 3.4, y: 5.4, facing: .pi, room: 1),
            .init(x: 16, y: 5.4, facing: 0, room: 3), .init(x: 23, y: -3, facing: 0, room: 8),
        ]
        let walks = Walks(people: 4, seconds: 7200) { person, _ in seats[person] }
        let result = try #require(try await results(options, of: [walks]).losses.first)
        for question in [Question.sixMetresFive, .twoMetresThirty] {
            let score = try #require(result.scores[question])
            #expect(score.contacts == 2 && score.found.hits == 2 && score.found.alarms == 0)
        }
    }

    @Test func `How often interactions are reported changes no verdict`() async throws {
        var options = ContactsOptions()
        options.people = 5
        options.hours = 1
        options.interval = 10
        options.losses = [0.3]
        let seldom = try await results(options)
        options.updateInterval = 30
        let often = try await results(options)
        #expect(often.losses[0].counts.records > 2 * seldom.losses[0].counts.records)
        func verdicts(_ results: ContactsResults) -> [String] {
            ContactsReport(results).figures.filter { !$0.contains("_records: ") }
        }
        #expect(verdicts(often) == verdicts(seldom))
    }

    // Heard every ten seconds.
    @Test func `Equal options give equal figures, and another seed gives others`() async throws {
        var options = ContactsOptions()
        options.people = 5
        options.hours = 1
        options.interval = 10
        options.losses = [0.3]
        let first = ContactsReport(try await results(options)).figures
        let again = ContactsReport(try await results(options)).figures
        options.seeds = [2]
        let other = ContactsReport(try await results(options)).figures
        #expect(first.count > 20 && first == again && first != other)
    }

    @Test func `Options are read as they are printed, and others are refused`() throws {
        let arguments = [
            "--world", "halls,offices", "--seed", "9,10", "--people", "200", "--floors", "7", "--sociability", "0.5",
            "--gateways", "one-per-floor", "--shared-shadowing", "0.25", "--days", "3", "--interval", "0.5",
            "--measured-power", "-64", "--preset",
            "rooms", "--longest", "5", "--update-interval", "30", "--losses", "0,60", "--deaf", "2", "--clock-error",
            "30", "--records", "no", "--dump", "/tmp/pairs.csv",
        ]
        let options = try #require(ContactsOptions(arguments))
        #expect(
            options.text
                == "--world halls,offices --seeds 9,10 --people 200 --floors 7 --sociability 0.5 "
                + "--gateways one-per-floor --shared-shadowing 0.25 --days 3 --hours 9 --interval 0.5 --measured-power -64 --preset rooms "
                + "--longest 5 --update-interval 30 --losses 0,60 --deaf 2 --clock-error 30.0 --records no")
        #expect(options.dump == "/tmp/pairs.csv")
        #expect(ContactsOptions(["--world", "all"])?.worlds == World.Name.allCases)
        for wrong in [
            ["--people", "1"], ["--losses", "100"], ["--losses", ""], ["--preset", "none"], ["--seed"], ["-x", "1"],
            ["--world", "castle"], ["--seeds", "1,x"], ["--gateways", "none"], ["--records", "maybe"],
            ["--clock-error", "601"],
        ] { #expect(ContactsOptions(wrong) == nil) }
    }

    @Test(arguments: World.Name.allCases) func `Each world has contacts, and people who have none with each other`(
        world: World.Name
    ) async throws {
        var options = ContactsOptions()
        options.people = 30
        options.hours = 2
        options.interval = 10
        options.losses = [0]
        options.records = .none
        let result = try #require(try await results(options, world).losses.first)
        let score = try #require(result.methods[.sixMetresFive]?[.cosine])
        #expect(score.pairs == 435)
        #expect(try (0.02...0.6).contains(#require(score.baseRate)))
        #expect(try #require(score.averagePrecision) > 1.2 * #require(score.baseRate))
        // Without records nothing is told that needs them.
        #expect(result.methods[.sixMetresFive]?[.nearest] == nil && result.methods[.sixMetresFive]?[.shipped] == nil)
    }

    @Test func `Who is less sociable has fewer contacts`() async throws {
        var options = ContactsOptions()
        options.people = 40
        options.hours = 3
        options.interval = 10
        options.losses = [0]
        options.records = .none
        func baseRate() async throws -> Double {
            try #require(try await results(options).losses.first?.methods[.sixMetresFive]?[.room]?.baseRate)
        }
        let usual = try await baseRate()
        options.sociability = 0.1
        let seldom = try await baseRate()
        options.floors = 6
        let apart = try await baseRate()
        #expect(apart < 0.7 * seldom && seldom < 0.7 * usual)
    }

    @Test func `A dump has a line for each two people, with as many values as its header has names`() async throws {
        var options = ContactsOptions()
        options.people = 5
        options.hours = 1
        options.interval = 10
        options.losses = [0, 0.6]
        options.records = .none
        options.dump = "-"
        let lines = try await results(options).dump
        #expect(lines.count == 2 * 10)
        let names = PairDump.header.split(separator: ",")
        #expect(names.contains("n86") && lines.allSatisfy { $0.split(separator: ",").count == names.count })
    }
}
