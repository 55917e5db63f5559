package import BeaconModel

/// The known properties of each device; bluetoothd reports only changes. When the table is full, the device that was
/// received least recently is evicted.
package struct DBusDeviceTable: Sendable {
    private struct Slot {
        var device: BluetoothAddress
        var advertisement: DBusAdvertisement
        var older: Int
        var newer: Int
    }

    private static let none = -1
    private let capacity: Int
    private var slots: [Slot] = []
    private var places: [BluetoothAddress: Int] = [:]
    private var oldest = none
    private var newest = none

    /// - Parameter capacity: maximum number of devices, at least 1.
    package init(capacity: Int = 4096) { self.capacity = max(1, capacity) }

    package var count: Int { slots.count }

    package subscript(device: BluetoothAddress) -> DBusAdvertisement? { places[device].map { slots[$0].advertisement } }

    /// Merges a change into the known properties of a device and returns the result.
    package mutating func update(_ device: BluetoothAddress, _ change: DBusDeviceChange) -> DBusAdvertisement {
        let place = place(for: device)
        slots[place].advertisement.merge(change.told)
        for property in change.withdrawn { slots[place].advertisement.withdraw(property) }
        return slots[place].advertisement
    }

    package mutating func remove(_ device: BluetoothAddress) {
        guard let place = places.removeValue(forKey: device) else { return }
        unlink(place)
        // The last slot moves into the freed place.
        guard let last = slots.popLast(), place < slots.count else { return }
        slots[place] = last
        places[last.device] = place
        if last.older == Self.none { oldest = place } else { slots[last.older].newer = place }
        if last.newer == Self.none { newest = place } else { slots[last.newer].older = place }
    }

    /// Returns the slot of a device and marks it as the most recently received. Adds the device if necessary.
    private mutating func place(for device: BluetoothAddress) -> Int {
        if let place = places[device] {
            if place != newest {
                unlink(place)
                append(place)
            }
            return place
        }
        if slots.count >= capacity { remove(slots[oldest].device) }
        slots.append(
            Slot(device: device, advertisement: DBusAdvertisement(), older: Self.none, newer: Self.none))
        places[device] = slots.count - 1
        append(slots.count - 1)
        return slots.count - 1
    }

    private mutating func unlink(_ place: Int) {
        let (older, newer) = (slots[place].older, slots[place].newer)
        if older == Self.none { oldest = newer } else { slots[older].newer = newer }
        if newer == Self.none { newest = older } else { slots[newer].older = older }
    }

    private mutating func append(_ place: Int) {
        slots[place].older = newest
        slots[place].newer = Self.none
        if newest == Self.none { oldest = place } else { slots[newest].newer = place }
        newest = place
    }
}
