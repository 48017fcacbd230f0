#if os(Linux)
    /// Dynamic section of a loaded object: the libraries that it names, and the slots of its procedure linkage table.
    ///
    /// It is read by ``MappedMemory``, because another thread may unload the object meanwhile.
    struct DynamicSection {
        private static let entryLimit = 256
        private static let slotLimit = 65_536

        /// Tags of the System V ABI (gABI 5, "Dynamic Section").
        private enum Tag {
            static let end: UInt = 0
            static let needed: UInt = 1
            static let slotsByteCount: UInt = 2
            static let strings: UInt = 5
            static let slots: UInt = 23
        }

        private let object: LinkMap.Object
        /// Table of names, as the section has it.
        private var strings: UInt?
        private var slots: UInt?
        private var slotsByteCount: UInt?
        private var neededOffsets: [UInt] = []

        init?(of object: LinkMap.Object) {
            guard let section = Self.sections(of: [object]).first ?? nil else { return nil }
            self = section
        }

        /// Sections of several objects, read at once; nil where that is refused or there is none.
        static func sections(of objects: [LinkMap.Object]) -> [DynamicSection?] {
            let pieces = MappedMemory.pieces(objects.map(place))
            return zip(objects, pieces).map { object, octets in octets.map { DynamicSection($0, of: object) } }
        }

        private static func place(of object: LinkMap.Object) -> Range<UInt> {
            let count = min((object.dynamic.upperBound - object.dynamic.lowerBound) / 16, UInt(entryLimit))
            return object.dynamic.lowerBound..<object.dynamic.lowerBound + count * 16
        }

        private init(_ octets: ArraySlice<UInt8>, of object: LinkMap.Object) {
            self.object = object
            octets.withUnsafeBytes { octets in
                for offset in stride(from: 0, to: octets.count - 15, by: 16) {
                    let tag = octets.loadUnaligned(fromByteOffset: offset, as: UInt.self)
                    if tag == Tag.end { break }
                    add(tag, octets.loadUnaligned(fromByteOffset: offset + 8, as: UInt.self))
                }
            }
        }

        private mutating func add(_ tag: UInt, _ value: UInt) {
            switch tag {
            case Tag.needed: neededOffsets.append(value)
            case Tag.strings: strings = value
            case Tag.slots: slots = value
            case Tag.slotsByteCount: slotsByteCount = value
            default: break
            }
        }

        static func neededNames(of sections: [DynamicSection?]) -> [[SystemName]] {
            let groups = sections.map { $0?.groupsOfNames ?? [] }
            var pieces = MappedMemory.pieces(groups.joined().map(\.range))[...]
            return groups.map { groups in groups.flatMap { $0.names(in: pieces.popFirst() ?? nil) } }
        }

        /// Names of the libraries, those near each other together; some linkers scatter them among others.
        private var groupsOfNames: [NameGroup] {
            guard let strings = strings.map(address) else { return [] }
            var groups: [NameGroup] = []
            for address in neededOffsets.map({ strings &+ $0 }).sorted() {
                if let last = groups.last, address - last.first <= NameGroup.byteLimit {
                    groups[groups.count - 1].addresses.append(address)
                } else {
                    groups.append(NameGroup(addresses: [address]))
                }
            }
            return groups
        }

        /// Addresses of the slots through which the object calls others.
        var slotAddresses: [UInt] {
            guard let start = slots.map(address), let byteCount = slotsByteCount else { return [] }
            // Entries with addend: offset, symbol and type, addend.
            let count = min(Int(clamping: byteCount / 24), Self.slotLimit)
            guard count > 0, let words = MappedMemory.words(at: start, count: count * 3) else { return [] }
            return (0..<count).map { object.bias &+ words[$0 * 3] }
        }

        /// An address of the section; most systems have moved it by the bias already.
        private func address(_ value: UInt) -> UInt {
            value < object.bias ? value &+ object.bias : value
        }
    }

    /// Names that lie so near each other that one piece of memory holds them.
    private struct NameGroup {
        /// Bytes between the first and the last address, at most.
        static let byteLimit: UInt = 4_096
        /// Bytes that are read for the last name; few are longer.
        private static let nameByteCount: UInt = 64

        /// Addresses in order.
        var addresses: [UInt]

        var first: UInt { addresses.first ?? 0 }

        var range: Range<UInt> {
            let (end, isTooLarge) = (addresses.last ?? 0).addingReportingOverflow(Self.nameByteCount)
            return isTooLarge ? 0..<0 : first..<end
        }

        func names(in octets: ArraySlice<UInt8>?) -> [SystemName] {
            addresses.compactMap { address in
                let name = octets?.dropFirst(Int(clamping: address - first)).prefix { $0 != 0 }
                // One that goes on behind the octets is read alone.
                guard let name, let octets, name.endIndex < octets.endIndex else {
                    return MappedMemory.text(at: address)
                }
                return SystemName(name)
            }
        }
    }
#endif
