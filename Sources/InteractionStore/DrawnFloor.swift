/// Floor that was drawn on the page, in one of its versions.
package struct DrawnFloor: Equatable, Sendable {
    /// `site/building/floor`.
    package var path: String
    /// Number of the version, from 1.
    package var version: Int64
    /// File of plans with this floor alone.
    package var toml: String
    /// Name of the account that saved it.
    package var by: String
    /// Seconds since 1970.
    package var at: Int64

    package init(path: String, version: Int64 = 0, toml: String, by: String, at: Int64) {
        self.path = path
        self.version = version
        self.toml = toml
        self.by = by
        self.at = at
    }

    /// A floor that is to be saved.
    package struct Change: Equatable, Sendable {
        package var floor: DrawnFloor
        /// Version from which it was made; 0 if there was none in the store.
        package var base: Int64

        package init(_ floor: DrawnFloor, base: Int64) {
            self.floor = floor
            self.base = base
        }
    }

    /// The result of a change.
    package enum Saved: Equatable, Sendable {
        case done
        /// Somebody else saved this floor first: what is stored now; `nil` if it was removed.
        case conflict(path: String, DrawnFloor?)
        /// There would be too many floors or bytes.
        case tooMany
    }
}

/// Picture under the drawing of a floor.
package struct FloorPicture: Equatable, Sendable {
    /// Content type: `image/png` or `image/jpeg`.
    package var kind: String
    /// Beginning of the hash of its bytes.
    package var tag: String
    /// Empty where they are not needed.
    package var bytes: [UInt8]
    /// Size in pixels.
    package var width: Int64
    package var height: Int64
    package var scale: Scale

    /// Position and scale of a picture on the plan.
    package struct Scale: Equatable, Sendable {
        /// Two points of the picture in pixels, from its left and upper edges.
        package var x1: Int64
        package var y1: Int64
        package var x2: Int64
        package var y2: Int64
        /// Distance of these points in millimetres.
        package var distance: Int64
        /// Place of the first point on the plan in millimetres.
        package var planX: Int64
        package var planY: Int64

        package init(x1: Int64, y1: Int64, x2: Int64, y2: Int64, distance: Int64, planX: Int64, planY: Int64) {
            self.x1 = x1
            self.y1 = y1
            self.x2 = x2
            self.y2 = y2
            self.distance = distance
            self.planX = planX
            self.planY = planY
        }
    }

    package init(kind: String, tag: String, bytes: [UInt8], width: Int64, height: Int64, scale: Scale) {
        self.kind = kind
        self.tag = tag
        self.bytes = bytes
        self.width = width
        self.height = height
        self.scale = scale
    }
}
