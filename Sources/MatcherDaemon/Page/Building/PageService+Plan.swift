import BeaconModel
import FloorPlans
import HTTPTypes
import InteractionStore
import MatcherCore
import OperatorText
import Pages
import SystemIO

// Floors that operators draw.
extension PageService {
    /// Shows the drawing of a floor: as it is, as it was in an earlier version, or as a new floor begins.
    func editFloor(_ request: PageRequest) async throws -> PageAnswer {
        let edited = try await editedFloor(request)
        if let version = request.query["version"].flatMap({ Int64($0) }) {
            guard let former = edited.former.first(where: { $0.version == version }),
                let plan = MergedPlans.plan(former.toml, path: edited.path)
            else { throw PageError.notFound }
            let time = DayWords(days: configuration.days).time(former.at)
            let text = "This is the version that \(former.by) saved at \(time). To go back to it, save it."
            return try await planPage(
                edited, PlanForm(plan), plan, request, outcome: PlanPage.Outcome(text, isProblem: false))
        }
        if let plan = edited.plan { return try await planPage(edited, PlanForm(plan), plan, request) }
        // Nothing is stored of a new floor before it is drawn.
        guard let plan = edited.beginning(request.query) else { throw PageError.notFound }
        return try await planPage(edited, PlanForm(plan), plan, request)
    }

    /// Saves or checks a floor.
    func saveFloor(_ request: PageRequest) async throws -> PageAnswer {
        let account = try request.account()
        let edited = try await editedFloor(request)
        let form = PlanForm(fields: request.form)
        let read = form.read(site: edited.site, building: edited.building, floor: edited.floor)
        guard let plan = read.plan else {
            return try await planPage(
                edited, form, nil, request, check: DrawnFloorCheck(errors: read.mistakes),
                outcome: PlanPage.Outcome("Nothing was saved. Correct what is named below.", isProblem: true),
                status: .unprocessableContent)
        }
        let check = try await self.check(plan, edited)
        guard check.errors.isEmpty else {
            return try await planPage(
                edited, form, plan, request, check: check,
                outcome: PlanPage.Outcome("Nothing was saved. Correct what is named below.", isProblem: true),
                status: .unprocessableContent)
        }
        if request.form["only"] == "check" {
            let text = "Nothing is wrong with the floor. Nothing was saved yet: press Save the floor."
            return try await planPage(
                edited, form, plan, request, check: check, outcome: PlanPage.Outcome(text, isProblem: false))
        }
        let drawn = DrawnFloor(
            path: edited.path, toml: FloorPlanFile.text(of: [plan]), by: Self.author(account), at: request.now)
        let base = request.form["version"].flatMap { Int64($0) } ?? 0
        let entry = AuditEntry(at: request.now, account: account, action: .drewFloor, object: edited.path)
        let saved = try await api.work { try $0.save([DrawnFloor.Change(drawn, base: base)], audit: [entry]) }
        switch saved {
        case .done:
            try await parts.floorsChanged()
            return .redirect(plan.pagePath + "/edit?" + DoneNotice.floorSaved.query)
        case .tooMany: throw PageError.tooManyFloors
        case .conflict(_, let theirs):
            var present = edited
            present.drawn = theirs
            return try await planPage(
                present, form, plan, request, check: check,
                outcome: PlanPage.Outcome(
                    "Nothing was saved, because somebody else saved the floor since you opened it. What you drew is "
                        + "still below. If you save it now, it takes the place of theirs.", isProblem: true),
                theirs: self.theirs(theirs, instead: plan), status: .conflict)
        }
    }

    /// Removes what was drawn of a floor.
    func removeFloor(_ request: PageRequest) async throws -> PageAnswer {
        let account = try request.account()
        let edited = try await editedFloor(request)
        let base = request.form["version"].flatMap { Int64($0) } ?? 0
        let entry = AuditEntry(at: request.now, account: account, action: .removedFloor, object: edited.path)
        let path = edited.path
        try await checkRemoval(of: edited)
        guard try await api.work({ try $0.removeDrawnFloor(path, base: base, audit: entry) }) == .done else {
            throw PageError.floorChanged
        }
        try await parts.floorsChanged()
        return .redirect(PageRoute.floors.path(done: .floorRemoved))
    }

    /// Checks that other drawn floors still count without the drawing of a floor.
    ///
    /// - Throws: `PageError.stillNeeded`, `StoreError`.
    private func checkRemoval(of edited: EditedFloor) async throws {
        let (path, file) = (edited.path, edited.localisation.filePlans)
        let drawn = try await api.work { try $0.drawnFloors() }
        let loss = try await DedicatedThread.run(name: "plan") {
            MergedPlans.loss(withoutDrawn: path, file: file, drawn: drawn.map { (path: $0.path, toml: $0.toml) })
        }
        guard loss.floors.isEmpty else { throw PageError.stillNeeded(by: loss.floors, because: loss.reasons) }
    }

    /// Returns what is known of the floor in the path of a request.
    func editedFloor(_ request: PageRequest) async throws -> EditedFloor {
        guard let localisation = configuration.localisation else { throw PageError.noLocalisation }
        let levels = ["site", "building", "floor"].compactMap { request.parameters[$0] }
        guard levels.count == 3, levels.allSatisfy(FloorPlanFile.isLevel) else { throw PageError.notFound }
        let path = levels.joined(separator: "/")
        return try await api.work { store in
            EditedFloor(
                site: levels[0], building: levels[1], floor: levels[2], drawn: try store.drawnFloor(path),
                former: try store.formerFloors(path), picture: try store.picture(of: path, withBytes: false),
                localisation: localisation)
        }
    }

    /// Checks a floor among the others of its building.
    private func check(_ plan: FloorPlan, _ edited: EditedFloor) async throws -> DrawnFloorCheck {
        let receivers = await api.live.receivers(on: plan.path).map(\.planReceiver)
        let others = edited.others
        return try await DedicatedThread.run(name: "plan") {
            DrawnFloorCheck(plan, among: others, receivers: receivers)
        }
    }

    /// Returns what somebody else saved, and how it differs from what was drawn here.
    private func theirs(_ theirs: DrawnFloor?, instead plan: FloorPlan) -> PlanPage.Theirs {
        guard let theirs, let other = MergedPlans.plan(theirs.toml, path: theirs.path) else {
            return PlanPage.Theirs(
                sentence: "Somebody removed what was drawn of this floor.", drawing: nil, differences: [])
        }
        let time = DayWords(days: configuration.days).time(theirs.at)
        return PlanPage.Theirs(
            sentence: "\(theirs.by) saved at \(time). Here is what was saved.",
            drawing: FloorPlanDrawing(other, styling: .external, id: "theirs").svg,
            differences: PlanDifference.sentences(theirs: other, own: plan))
    }

    /// Returns the page of a drawing.
    ///
    /// - Parameters:
    ///   - plan: plan of the form; `nil` if it cannot be read, then the picture is that of what is stored.
    private func planPage(
        _ edited: EditedFloor, _ form: PlanForm, _ plan: FloorPlan?, _ request: PageRequest,
        check: DrawnFloorCheck = DrawnFloorCheck(), outcome: PlanPage.Outcome? = nil, theirs: PlanPage.Theirs? = nil,
        scaleMistakes: [String: [String]] = [:], status: HTTPResponse.Status = .ok
    ) async throws -> PageAnswer {
        let shown = plan ?? edited.plan ?? edited.blank
        var drawing = FloorPlanDrawing(
            shown, receivers: await api.live.receivers(on: edited.path).map(\.planReceiver), styling: .external)
        drawing.underlay = edited.underlay
        // What is shown without an outcome is as stored, or as a new floor begins.
        let isUnsaved = outcome != nil && edited.plan.map { PlanForm($0) } != form
        let view = PlanFormView(form: form, mistakes: check.mistakes)
        let words = DayWords(days: configuration.days)
        // What is wrong with a plan names its part; what is wrong with a field does not.
        let fields = plan == nil ? view.general + view.tables.flatMap { $0.rows.flatMap(\.cells) } : []
        let labels = Dictionary(fields.map { ($0.field, $0.label) }) { first, _ in first }
        return page(
            PlanPage(
                request.frame("Draw \(shown.shownName), \(edited.building)", route: .floors), place: edited.path,
                path: edited.pagePath, version: "\(edited.drawn?.version ?? 0)", origin: edited.origin(words),
                picture: drawing.svg, outcome: outcome, theirs: theirs,
                problems: check.errors.map { error in
                    .init(labels[error.field].map { "\($0): \(error.text)" } ?? error.text, fieldName: error.field)
                },
                notes: check.notes, warnings: edited.warnings, general: view.general, tables: view.tables,
                versions: edited.former.map {
                    .init(
                        label: "Version \($0.version), saved by \($0.by) at \(words.time($0.at))",
                        link: "\(edited.pagePath)/edit?version=\($0.version)")
                },
                removal: edited.removal, canDownload: edited.plan != nil,
                underlay: edited.underlayFields(mistakes: scaleMistakes), isUnsaved: isUnsaved),
            status: status)
    }

    /// Returns the page of the stored floor with mistakes in the scale of its picture.
    func planPage(
        _ edited: EditedFloor, _ request: PageRequest, scaleMistakes: [String: [String]], outcome: String
    ) async throws -> PageAnswer {
        let plan = edited.plan ?? edited.blank
        return try await planPage(
            edited, PlanForm(plan), plan, request, outcome: PlanPage.Outcome(outcome, isProblem: true),
            scaleMistakes: scaleMistakes, status: .unprocessableContent)
    }
}

extension FloorDocument.Receiver {
    /// The receiver as drawings and checks of plans need it.
    var planReceiver: PlanReceiver {
        PlanReceiver(
            path: path,
            position: x.flatMap { x in y.flatMap { y in z.map { .init(x: x, y: y, z: $0) } } }, room: room)
    }
}

extension PageError {
    static let noLocalisation = Self(
        .notFound, "No floor plans", "This service does not use floor plans, so none can be drawn.",
        "To use them, add the table [localisation] to the matcher's configuration.")

    static let tooManyFloors = Self(
        .unprocessableContent, "Not saved",
        "Nothing was saved: there would be more than \(InteractionStore.mostDrawnFloors) drawn floors, or more than "
            + "\(InteractionStore.mostDrawnBytes / 1_048_576) MB of them.",
        "Remove floors that are no longer needed.")

    /// Removing a drawing would switch off other drawn floors of the building.
    static func stillNeeded(by floors: [String], because reasons: [String]) -> Self {
        Self(
            .unprocessableContent, "Not removed",
            "Nothing was removed, because without this drawing other drawn floors would no longer count: "
                + floors.joined(separator: ", ") + ". " + reasons.map { $0 + "." }.joined(separator: " "),
            "First change the other floors so that they agree with the floor in the file of plans, or remove them.")
    }

    static let floorChanged = Self(
        .conflict, "Not removed", "Somebody else changed the floor in the meantime, so nothing was removed.",
        "Open the floor again, and look at it.")
}
