import Crypto

/// File that pages load: style sheet, scripts, pictures. All are part of the program.
package enum PageAsset: String, CaseIterable, Sendable {
    case style = "style.css"
    case page = "page.js"
    case floor = "floor.js"
    case plan = "plan.js"
    case me = "me.js"
    case icon = "icon.svg"
    /// Icon with room for the shape that a phone cuts out of it.
    case maskableIcon = "icon-maskable.svg"

    /// Returns the file with a name; `nil` if there is none.
    package init?(name: String) { self.init(rawValue: name) }

    package var bytes: [UInt8] {
        switch self {
        case .style: PackageResources.style_css
        case .page: PackageResources.page_js
        case .floor: PackageResources.floor_js
        case .plan: PackageResources.plan_js
        case .me: PackageResources.me_js
        case .icon: PackageResources.icon_svg
        case .maskableIcon: PackageResources.icon_maskable_svg
        }
    }

    package var contentType: String {
        switch self {
        case .style: "text/css; charset=utf-8"
        case .page, .floor, .plan, .me: "text/javascript; charset=utf-8"
        case .icon, .maskableIcon: "image/svg+xml"
        }
    }

    /// Beginning of the contents' hash, which changes when the file does.
    package var version: String { Self.versions[self] ?? "" }

    /// Address in pages. Browsers keep the file until its version changes.
    package var path: String { "/assets/\(rawValue)?v=\(version)" }

    private static let versions: [PageAsset: String] = Dictionary(
        uniqueKeysWithValues: allCases.map { asset in
            let hash = SHA256.hash(data: asset.bytes).prefix(6)
            return (asset, hash.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined())
        })
}
