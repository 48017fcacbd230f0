#if os(Linux)
    /// Judgement about the objects that the dynamic linker has loaded.
    struct LoadedObjects {
        /// Objects that nobody expects.
        private(set) var findings: [GuardFinding] = []
        /// Parts that could not be examined.
        private(set) var unknown: [String] = []
        /// Objects whose code no slot of the program may point to.
        private(set) var distrusted: [LinkMap.Object] = []

        private let allowances: GuardPolicy.Allowances

        /// Judges the objects of a link map; `orders` are the paths that the linker was told to load first.
        init(_ map: LinkMap, orders: [String], allowances: GuardPolicy.Allowances) {
            self.allowances = allowances
            let named = namedObjects(in: map)
            for object in map.objects.dropFirst() where !object.path.isEmpty {
                if orders.contains(where: { Self.isSame($0, object) }) {
                    distrust(object, "hook.preloaded-object", "\(object.path) was loaded before all others")
                } else if let named, !named.contains(String(object.name)), !isExpected(object) {
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
        private mutating func namedObjects(in map: LinkMap) -> Set<String>? {
            guard let program = map.program else { return nil }
            let objects = Dictionary(map.objects.map { (String($0.name), $0) }) { first, _ in first }
            var named: Set<String> = []
            var unread = [program]
            while let object = unread.popLast() {
                guard let section = DynamicSection(of: object) else {
                    // A program that is linked as a whole has no such section.
                    guard !object.dynamic.isEmpty else { continue }
                    unknown = ["the libraries that \(object.path.isEmpty ? "the program" : object.path) names"]
                    return nil
                }
                for name in section.neededNames {
                    let name = String(name.split(separator: "/").last ?? "")
                    if named.insert(name).inserted, let other = objects[name] { unread.append(other) }
                }
            }
            return named
        }

        /// Whether an object that nobody names may be there.
        private func isExpected(_ object: LinkMap.Object) -> Bool {
            object.name.hasPrefix("linux-vdso") || object.name.hasPrefix("linux-gate") || object.name.hasPrefix("ld-")
                || object.name.hasPrefix("[") || HookGuard.systemFolders.contains { object.path.hasPrefix($0) }
                || Self.isAllowed(object.path, by: allowances)
        }

        /// Whether a path is that of an object, as an order to the linker names it: whole, or its last part alone.
        private static func isSame(_ order: String, _ object: LinkMap.Object) -> Bool {
            order == object.path || !order.contains("/") && order == object.name
                || order.split(separator: "/").last == object.name
        }

        /// Whether the application allows an object: by its path, or by a folder with a slash at the end.
        static func isAllowed(_ path: String, by allowances: GuardPolicy.Allowances) -> Bool {
            allowances.objects.contains { $0.hasSuffix("/") ? path.hasPrefix($0) : path == $0 }
        }
    }
#endif
