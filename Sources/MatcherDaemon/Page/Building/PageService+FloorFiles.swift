import Crypto
import FloorPlans
import HTTPTypes
import InteractionStore
import OperatorText
import Pages
import ResultPictures

// Files of floors: plans that are downloaded, and pictures under their drawings.
extension PageService {
    /// Answers with the plan of a floor as a file.
    func floorFile(_ request: PageRequest) throws(PageError) -> PageAnswer {
        let plan = try plan(request)
        let name = "\(plan.site)-\(plan.building)-\(plan.floor).toml"
        return PageAnswer(content: .file(name: name, text: FloorPlanFile.text(of: [plan])))
    }

    /// Answers with the picture under the drawing of a floor.
    func floorPicture(_ request: PageRequest) async throws -> PageAnswer {
        guard let path = request.floor, let picture = try await api.work({ try $0.picture(of: path, withBytes: true) }),
            PictureFormat.allCases.contains(where: { $0.contentType == picture.kind })
        else { throw PageError.notFound }
        return PageAnswer(content: .picture(kind: picture.kind, tag: picture.tag, bytes: picture.bytes))
    }

    /// Saves the picture under the drawing of a floor, or only its scale, or removes it.
    func savePicture(_ request: PageRequest) async throws -> PageAnswer {
        let account = try request.account()
        let edited = try await editedFloor(request)
        // A picture of a floor that nobody has saved would be out of reach.
        guard edited.plan != nil else { throw PageError.noFloorYet }
        let path = edited.path
        var entry = AuditEntry(at: request.now, account: account, action: .drewFloor, object: path)
        func done(_ notice: DoneNotice) -> PageAnswer { .redirect(edited.pagePath + "/edit?" + notice.query) }
        if request.form["remove"] == "yes" {
            entry.detail = "picture removed"
            let removal = entry
            try await api.work { try $0.removePicture(of: path, audit: removal) }
            return done(.pictureRemoved)
        }
        var file: StrippedPicture?
        if let upload = request.files["picture"] {
            do throws(PictureError) {
                file = try StrippedPicture(upload.bytes)
            } catch {
                return try await planPage(
                    edited, request, scaleMistakes: [:],
                    outcome: "No picture was saved: \(error.what). \(Self.allowedPicture)")
            }
        }
        guard file != nil || edited.picture != nil else {
            return try await planPage(
                edited, request, scaleMistakes: [:], outcome: "No picture was saved. \(Self.allowedPicture)")
        }
        let form = FloorScaleForm(request.form)
        let shown = file?.header.shownSize
        let width = shown.map { Int64($0.width) } ?? edited.picture?.width ?? 0
        let height = shown.map { Int64($0.height) } ?? edited.picture?.height ?? 0
        let size = (width: Double(width), height: Double(height))
        guard let scale = form.scale, FloorPicture.underlay(scale, size: size, href: "") != nil else {
            let mistakes =
                form.mistakes.isEmpty
                ? ["distance": ["With this scale the picture is larger than any floor."]]
                : form.mistakes
            return try await planPage(
                edited, request, scaleMistakes: mistakes, outcome: "No picture was saved. Correct the scale below.")
        }
        entry.detail = "picture"
        let (bytes, audit) = (file?.bytes ?? [], entry)
        let picture = FloorPicture(
            kind: file?.header.format.contentType ?? "", tag: Self.tag(bytes), bytes: bytes, width: width,
            height: height,
            scale: scale)
        guard try await api.work({ try $0.save(picture, of: path, audit: audit) }) else {
            throw PageError.tooManyPictures
        }
        return done(.pictureSaved)
    }

    private static let allowedPicture =
        "Choose a PNG or JPEG file of at most 4 MB and \(PictureLimits.pixels / 1_000_000) megapixels."

    /// Returns the beginning of the hash of a picture.
    private static func tag(_ bytes: [UInt8]) -> String {
        HexadecimalText.of(SHA256.hash(data: bytes).prefix(8))
    }
}

extension FloorPicture {
    /// Returns where a picture with a scale lies; `nil` if it is larger than any floor.
    static func underlay(_ scale: Scale, size: (width: Double, height: Double), href: String) -> PlanUnderlay? {
        PlanUnderlay(
            href: href, size: size, first: PlanPoint(x: Double(scale.x1), y: Double(scale.y1)),
            second: PlanPoint(x: Double(scale.x2), y: Double(scale.y2)), distance: Double(scale.distance) / 1000,
            place: PlanPoint(x: Double(scale.planX) / 1000, y: Double(scale.planY) / 1000))
    }
}

extension PageError {
    static let noFloorYet = Self(
        .notFound, "Not saved", "There is no plan of this floor yet, so no picture can lie under it.",
        "Save the floor first.")

    static let tooManyPictures = Self(
        .unprocessableContent, "Not saved",
        "No picture was saved: there are \(InteractionStore.mostFloorPictures) pictures already, or this one was removed "
            + "in the meantime.", "Remove pictures of floors that are drawn.")
}
