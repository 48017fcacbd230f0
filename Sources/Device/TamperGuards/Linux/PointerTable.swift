#if os(Linux)
    /// Judgement about the pointers through which objects call others: each leads to code of a loaded, expected object.
    struct PointerTable {
        let result: TamperGuardResult

        /// Follows the slots of the program; of all objects where `isWhole`.
        init(_ map: LinkMap, distrusted: [LinkMap.Object], isWhole: Bool) {
            var findings: [GuardFinding] = []
            var unknown: [String] = []
            let code = Self.code(of: map.objects.filter { !distrusted.contains($0) })
            for object in isWhole ? map.objects : Array(map.objects.prefix(1)) where !distrusted.contains(object) {
                let name = object.path.isEmpty ? "the program" : object.path
                guard let slots = DynamicSection(of: object)?.slotAddresses else {
                    if !object.dynamic.isEmpty { unknown.append("the pointers of \(name)") }
                    continue
                }
                let strangers = Self.targets(of: slots, in: object).filter { !code.contains($0) }
                guard !strangers.isEmpty else { continue }
                findings.append(
                    GuardFinding(
                        .hook, "hook.pointer", weight: 100,
                        evidence: "\(strangers.count) of the pointers to libraries in \(name) lead to other code"))
            }
            result = TamperGuardResult(findings: findings, unknown: unknown)
        }

        private static func code(of objects: [LinkMap.Object]) -> AddressRanges {
            AddressRanges(objects.flatMap { $0.segments.filter(\.isExecutable).map(\.range) })
        }

        /// The pointers in slots of an object; a weak symbol without a definition has none.
        private static func targets(of slots: [UInt], in object: LinkMap.Object) -> [UInt] {
            guard let first = slots.min(), let last = slots.max(),
                object.segments.contains(where: { $0.range.contains(first) && $0.range.contains(last) }),
                let words = MappedMemory.words(at: first, count: Int(clamping: (last - first) / 8) + 1)
            else { return [] }
            return slots.map { words[Int(clamping: ($0 - first) / 8)] }.filter { $0 != 0 }
        }
    }
#endif
