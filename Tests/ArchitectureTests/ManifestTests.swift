import Testing

@Suite(
    "The manifest says what the sources import",
    .enabled(
        if: PackageDescription.location != nil,
        "run script/test: it writes the package description that these tests read"))
struct ManifestTests {
    private let description: PackageDescription

    init() throws {
        description = try PackageDescription(contentsOf: try #require(PackageDescription.location))
    }

    private func imports(under path: String) -> Set<String> {
        let files = Repository.files.filter { $0.path.hasPrefix(path + "/") }
        return Set(files.flatMap { $0.imports.map(\.module) })
    }

    private var packageModules: Set<String> {
        Set(description.targets.map(\.name)).union(description.targets.flatMap(\.dependencies))
    }

    @Test("A source target's dependencies are what it imports, no more and no less")
    func sources() {
        for target in description.targets where target.path.hasPrefix("Sources/") && target.type != "system-target" {
            let imported = imports(under: target.path).intersection(packageModules)
            let idle = target.dependencies.subtracting(imported).sorted()
            let missing = imported.subtracting(target.dependencies).sorted()
            #expect(idle.isEmpty, "\(target.name) depends on what it does not import")
            #expect(missing.isEmpty, "\(target.name) imports what it does not depend on")
        }
    }

    @Test("A test target depends on everything it imports")
    func tests() {
        for target in description.targets where !target.path.hasPrefix("Sources/") {
            let imported = imports(under: target.path).intersection(packageModules)
            let missing = imported.subtracting(target.dependencies).subtracting([target.name]).sorted()
            #expect(missing.isEmpty, "\(target.name) imports what it does not depend on")
        }
    }

    @Test("Every target of the sources stands in its layer and in the import table")
    func layers() throws {
        for target in description.targets where target.path.hasPrefix("Sources/") && target.type != "system-target" {
            let row = try #require(
                ImportTable.repository.rows[target.name], "\(target.name) is not in the import table")
            #expect(target.path == "Sources/\(row.layer.rawValue)/\(target.name)")
        }
    }
}
