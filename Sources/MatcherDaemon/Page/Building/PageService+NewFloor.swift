import FloorPlans
import HTTPTypes
import InteractionStore
import OperatorText
import Pages
import SystemIO

// Floors that are begun, or taken over from another program's file.
extension PageService {
    /// Shows the forms of a new floor.
    func newFloor(_ request: PageRequest) throws(PageError) -> PageAnswer {
        guard configuration.localisation != nil else { throw .noLocalisation }
        return newFloorPage(request)
    }

    /// Begins a new floor. Nothing is stored before it is drawn.
    func createFloor(_ request: PageRequest) throws(PageError) -> PageAnswer {
        guard let localisation = configuration.localisation else { throw .noLocalisation }
        let form = NewFloorForm(request.form)
        var mistakes = form.mistakes
        if mistakes.isEmpty, localisation.plans.contains(where: { $0.path == form.path }) {
            mistakes["floor"] = ["There is a plan of this floor already. Open it in the list of floors to change it."]
        }
        guard mistakes.isEmpty else { return newFloorPage(request, form, mistakes) }
        return .redirect(form.editPath)
    }

    private func newFloorPage(
        _ request: PageRequest, _ form: NewFloorForm = NewFloorForm([:]), _ mistakes: [String: [String]] = [:],
        importing: [PlanTable.Field] = NewFloorForm.importing(), fileMistakes: [String] = []
    ) -> PageAnswer {
        let isRefused = !mistakes.isEmpty || !fileMistakes.isEmpty || importing.contains { $0.isWrong }
        let notice = isRefused ? Frame.Notice("Nothing was saved. Correct what is named below.", isProblem: true) : nil
        return page(
            NewFloorPage(
                request.frame("New floor", route: .floors, notice: notice), drawing: form.shown(mistakes),
                importing: importing, fileMistakes: fileMistakes),
            status: isRefused ? .unprocessableContent : .ok)
    }

    /// Shows what is in another program's file of floors.
    func importFloors(_ request: PageRequest) async throws -> PageAnswer {
        guard let localisation = configuration.localisation else { throw PageError.noLocalisation }
        let (site, building) = (request.form["import-site"] ?? "", request.form["import-building"] ?? "")
        var mistakes: [String: [String]] = [:]
        mistakes["import-site"] = NewFloorForm.levelMistakes(site)
        mistakes["import-building"] = NewFloorForm.levelMistakes(building)
        let fields = NewFloorForm.importing(request.form, mistakes)
        guard mistakes.isEmpty, let file = request.files["floors"] else {
            let missing = request.files["floors"] == nil ? ["No file was chosen."] : []
            return newFloorPage(request, importing: fields, fileMistakes: missing)
        }
        let found = try await DedicatedThread.run(name: "import") {
            FoundFloors.read(file.bytes, name: file.name, site: site, building: building, among: localisation)
        }
        switch found {
        case .failure(let error):
            return newFloorPage(
                request, importing: fields,
                fileMistakes: error.problems.prefix(FoundFloors.most).map { $0.line(in: file.name) })
        case .success(let found):
            let stored = try await api.work { try $0.drawnFloors() }
            return page(
                found.page(request.frame("Import floors", route: .floors), stored: stored, localisation: localisation),
                status: found.problems.isEmpty ? .ok : .unprocessableContent)
        }
    }

    /// Saves floors of another program's file, as they were shown.
    func saveFloors(_ request: PageRequest) async throws -> PageAnswer {
        let account = try request.account()
        guard let localisation = configuration.localisation else { throw PageError.noLocalisation }
        let toml = request.form["plans"] ?? ""
        let read = try await DedicatedThread.run(name: "import") { () -> [FloorPlan]? in
            guard let plans = try? FloorPlanFile.parse(toml, path: "import") else { return nil }
            return FoundFloors.problems(of: plans, among: localisation).isEmpty ? plans : nil
        }
        guard let plans = read else {
            throw PageError.invalid(
                "The floors cannot be saved: they contradict each other, or floors that were saved in the meantime.",
                "Upload the file again, and look at what is found.")
        }
        let by = Self.author(account)
        let changes = plans.map { plan in
            DrawnFloor.Change(
                DrawnFloor(path: plan.path, toml: FloorPlanFile.text(of: [plan]), by: by, at: request.now),
                base: request.form["base:" + plan.path].flatMap { Int64($0) } ?? 0)
        }
        let entries = plans.map {
            AuditEntry(at: request.now, account: account, action: .drewFloor, object: $0.path, detail: "imported")
        }
        switch try await api.work({ try $0.save(changes, audit: entries) }) {
        case .done:
            try await parts.floorsChanged()
            return .redirect(PageRoute.floors.path(done: .floorsSaved))
        case .tooMany: throw PageError.tooManyFloors
        case .conflict(let path, let theirs):
            throw PageError(
                .conflict, "Not saved",
                "Nothing was saved, because \(theirs?.by ?? "somebody") changed the floor \(path) since the file was "
                    + "looked at.", "Upload the file again, and look at what is found.")
        }
    }
}
