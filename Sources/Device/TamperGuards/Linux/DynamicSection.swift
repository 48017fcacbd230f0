#if os(Linux)
    /// Dynamic section of a loaded object: the libraries that it names, and the slots of its procedure linkage table.
    ///
    /// It is read by ``MappedMemory``, because another thread may unload the object meanwhile.
    struct DynamicSection {
        /// Entries of the section that are read, at most.
        private static let entryLimit = 256
        /// Bytes of names that are read at once, at most.
        private static let nameByteLimit = 16_384
        /// Slots that are read, at most.
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
        private var values: [UInt: UInt] = [:]
        private var neededOffsets: [UInt] = []

        /// Reads the section; nil where that is refused or there is none.
        init?(of object: LinkMap.Object) {
            self.object = object
            let count = min(object.dynamic.count / 16, Self.entryLimit)
            guard count > 0, let words = MappedMemory.words(at: object.dynamic.lowerBound, count: count * 2) else {
                return nil
            }
            for index in 0..<count {
                let (tag, value) = (words[index * 2], words[index * 2 + 1])
                if tag == Tag.end { break }
                if tag == Tag.needed { neededOffsets.append(value) } else { values[tag] = value }
            }
        }

        /// Names of the libraries that the object asks for.
        var neededNames: [String] {
            guard let strings = address(Tag.strings), let first = neededOffsets.min(), let last = neededOffsets.max()
            else { return [] }
            // The names mostly lie beside each other, and one look is faster than many.
            let count = Int(clamping: last - first) &+ 64
            guard count <= Self.nameByteLimit, let bytes = MappedMemory.bytes(at: strings &+ first, count: count) else {
                return neededOffsets.compactMap { MappedMemory.text(at: strings &+ $0) }
            }
            return neededOffsets.compactMap { offset in
                let name = bytes[Int(offset - first)...].prefix { $0 != 0 }
                // One that goes on behind the bytes is read alone.
                guard name.endIndex < bytes.endIndex else { return MappedMemory.text(at: strings &+ offset) }
                return String(decoding: name, as: UTF8.self)
            }
        }

        /// Addresses of the slots through which the object calls others.
        var slotAddresses: [UInt] {
            guard let start = address(Tag.slots), let byteCount = values[Tag.slotsByteCount] else { return [] }
            // Entries with addend: offset, symbol and type, addend.
            let count = min(Int(clamping: byteCount / 24), Self.slotLimit)
            guard count > 0, let words = MappedMemory.words(at: start, count: count * 3) else { return [] }
            return (0..<count).map { object.bias &+ words[$0 * 3] }
        }

        /// An address of the section; most systems have moved it by the bias already.
        private func address(_ tag: UInt) -> UInt? {
            values[tag].map { $0 < object.bias ? $0 &+ object.bias : $0 }
        }
    }
#endif
