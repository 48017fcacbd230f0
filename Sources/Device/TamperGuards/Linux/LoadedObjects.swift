#if os(Linux)
    /// Judgement about the objects that the dynamic linker has loaded.
    struct LoadedObjects {
        private(set) var findings: [GuardFinding] = []
        /// Parts that could not be examined.
        private(set) var unknown: [String] = []
        /// Objects whose code no slot of the program may point to.
        private(set) var distrusted: [LinkMap.Object] = []

        private let allowances: GuardPolicy.Allowances

        /// Judges the objects of a link map; `orders` are the paths that the linker was told to load first.
        init(_ map: LinkMap, orders: [String], allowances: GuardPolicy.Allowances) {
            self.allowances = allowances
            let names = map.objects.map { SystemName($0.path).lastPart }
            let named = namedObjects(in: map, called: names)
            for (object, name) in zip(map.objects, names).dropFirst() where !object.path.isEmpty {
                if orders.contains(where: { Self.isSame($0, object) }) {
                    distrust(object, "hook.preloaded-object", "\(object.path) was loaded before all others")
                } else if let named, !named.contains(name), !isExpected(object) {
                    distrust(
                        object, "hook.foreign-object",
                        "\(object.path) is loaded, and no library of the program names it")
                }
            }
        }

        private mutating func distrust(_ object: LinkMap.Object, _ name: String, _ evidence: String) {
            distrusted.append(object)
            findings.append(GuardFinding(.hook, name, weight: 100, evidence: evidence))
        }

        /// Names of the libraries that the program names, that these name, and so on; nil where that cannot be read.
        private mutating func namedObjects(in map: LinkMap, called names: [SystemName]) -> Set<SystemName>? {
            let sections = DynamicSection.sections(of: map.objects)
            let needed = DynamicSection.neededNames(of: sections)
            let places = Dictionary(zip(names, names.indices)) { first, _ in first }
            var named: Set<SystemName> = []
            var unread = Array(names.indices.prefix(1))
            while let place = unread.popLast() {
                guard sections[place] != nil else {
                    let object = map.objects[place]
                    // A program that is linked as a whole has no such section.
                    guard !object.dynamic.isEmpty else { continue }
                    unknown = ["the libraries that \(object.path.isEmpty ? "the program" : object.path) names"]
                    return nil
                }
                for name in needed[place].lazy.map(\.lastPart) {
                    if named.insert(name).inserted, let other = places[name] { unread.append(other) }
                }
            }
            return named
        }

        /// Whether an object that is not named may be there.
        private func isExpected(_ object: LinkMap.Object) -> Bool {
            object.name.hasPrefix("linux-vdso") || object.name.hasPrefix("linux-gate") || object.name.hasPrefix("ld-")
                || object.name.hasPrefix("[") || HookGuard.systemFolders.contains { object.path.hasPrefix($0) }
                || Self.isAllowed(object.path, by: allowances)
        }

        /// Whether a path belongs to an object, as an order to the linker names it: whole, or its last part alone.
        private static func isSame(_ order: String, _ object: LinkMap.Object) -> Bool {
            order == object.path || SystemName(order).lastPart == SystemName(object.path).lastPart
        }

        /// Whether the application allows an object: by its path, or by a folder with a slash at the end.
        static func isAllowed(_ path: String, by allowances: GuardPolicy.Allowances) -> Bool {
            allowances.objects.contains { $0.hasSuffix("/") ? path.hasPrefix($0) : path == $0 }
        }
    }
#endif
