import Pages
import SignIn
import Testing

@Suite("Places of beacons") struct PlacesPageTests {
    private func shown(
        claims: [PlacesPage.Claim] = [], rows: [PlacesPage.Row] = [], query: String? = nil,
        hidden: String? = nil, form: PlacesPage.Form = .init()
    ) throws -> ShownPage {
        try ShownPage(
            PlacesPage(
                ShownPage.frame("Places of beacons", .operator), query: query, claims: claims,
                claimsExtent: "Claims: \(claims.count).", nextClaimsPath: "/places?q=&claims=30&from=0", hidden: hidden,
                rows: rows, extent: "Beacons: \(rows.count).", nextPath: nil, form: form))
    }

    @Test("A claim to a beacon has a button with its names, and a claim to a room has none") func claims() throws {
        func claim(_ beacon: String?) -> PlacesPage.Claim {
            PlacesPage.Claim(
                receiver: Hostile.name, named: beacon ?? "room", beacon: beacon, counts: "at no place",
                reason: "it is mounted on another floor", since: "Mon 2026-11-02 08:00",
                advice: beacon == nil ? "List the places of the room." : "")
        }
        let page = try shown(claims: [claim(Hostile.accented), claim(nil)])
        #expect(!page.html.contains("<script>") && !page.html.contains("\" autofocus"))
        #expect(page.nakedTables == 0 && page.unlabelledFields.isEmpty)
        #expect(page.count("action=\"/places/accept\"") == 2)
        #expect(page.count("List the places of the room.") == 1)
        #expect(page.count("name=\"token\" value=\"form-token\"") == 3)
    }

    @Test("The page says how many beacons it does not show, and leads to the claims that follow") func parts() throws {
        let page = try shown(hidden: "2 beacons are not shown. \(Hostile.name)")
        #expect(page.words.contains("2 beacons are not shown.") && !page.html.contains("<script>"))
        #expect(page.words.contains("Show the next claims") && !page.words.contains("Show the next beacons"))
    }

    @Test("Without claims and beacons the page says so, and of a search what was searched for") func nothing() throws {
        #expect(try shown().words.contains("There are none."))
        let page = try shown(query: Hostile.name)
        #expect(!page.html.contains("<script>"))
        #expect(page.words.contains("No beacon of a place is known that fits"))
    }

    @Test("Mistakes stand at their fields, with what was typed") func mistakes() throws {
        let page = try shown(
            form: .init(
                beacon: "7/7", receiver: Hostile.name, beaconMistake: "Write it all.", receiverMistake: "Write it."))
        #expect(page.count("aria-invalid=\"true\"") == 2 && page.count("value=\"7/7\"") == 1)
        #expect(page.words.contains("Write it all.") && !page.html.contains("<script>"))
    }

    @Test("Only the button of a dangerous action warns", arguments: [true, false])
    func danger(isDangerous: Bool) throws {
        let page = try ShownPage(
            SurePage(
                ShownPage.frame("Restore this gateway?", .operator), facts: [], effects: [], path: "/gateway/restore",
                fields: [], button: "Restore the gateway", isDangerous: isDangerous,
                back: .init("Gateway", path: "/gateway")))
        #expect(page.count("class=\"danger\"") == (isDangerous ? 1 : 0))
        #expect(page.count(">Restore the gateway</button>") == 1)
    }

    @Test("The question before a decision has its fields, what will happen, and a way back") func sure() throws {
        let page = try ShownPage(
            SurePage(
                ShownPage.frame("Accept this place?", .operator), facts: [.init("Beacon", Hostile.name)],
                warnings: ["Look again."], effects: ["It hangs there."], path: "/places/accept",
                fields: [.init(name: "beacon", value: Hostile.accented)], button: "Accept the place",
                back: .init("Places of beacons", path: "/places")))
        #expect(!page.html.contains("<script>") && !page.html.contains("\" autofocus"))
        for text in ["Look again.", "It hangs there.", "Accept the place"] { #expect(page.words.contains(text)) }
        #expect(page.count("name=\"sure\" value=\"yes\"") == 1 && page.count("href=\"/places\"") == 2)
    }
}
