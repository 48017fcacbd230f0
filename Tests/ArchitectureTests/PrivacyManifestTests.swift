import Foundation
import Testing

/// The calls for which Apple demands a reason ("Describing use of required reason API"), by category.
private let requiredReasonCalls: [String: [String]] = [
    "FileTimestamp": [
        "creationDate", "modificationDate", "fileModificationDate", "contentModificationDateKey", "creationDateKey",
        "contentModificationDate", "getattrlist", "getattrlistbulk", "fgetattrlist", "stat", "fstat", "fstatat",
        "lstat", "getattrlistat",
    ],
    "SystemBootTime": ["systemUptime", "mach_absolute_time"],
    "DiskSpace": [
        "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey",
        "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacityKey", "systemFreeSize", "systemSize",
        "statfs", "statvfs", "fstatfs", "fstatvfs",
    ],
    "ActiveKeyboards": ["activeInputModes"],
    "UserDefaults": ["UserDefaults", "NSUserDefaults"],
]

/// The reasons that are ours: files in the container of the application.
private let reasons = ["FileTimestamp": ["C617.1"]]

@Suite("D-M8, SDK-22: the privacy manifests say what the code does")
struct PrivacyManifestTests {
    @Test(
        "D-M8: a manifest lists the required-reason calls of its product, no more and no fewer",
        arguments: ["MobileAuthentication", "SecureStorage"])
    func accessedCalls(product: String) throws {
        let manifest = try PrivacyManifest(of: product)
        let used = Self.used(in: Self.modules(of: product))
        #expect(Set(manifest.accessed.keys) == Set(used.keys))
        for (category, listed) in manifest.accessed { #expect(listed == reasons[category]) }
    }

    @Test("D-M8: nothing is tracked, and the SDK alone sends anything, to the server of the application")
    func collected() throws {
        let sdk = try PrivacyManifest(of: "MobileAuthentication")
        let storage = try PrivacyManifest(of: "SecureStorage")
        #expect(!sdk.isTracking && !storage.isTracking)
        #expect(sdk.collected == ["UserID", "DeviceID", "OtherDataTypes"])
        #expect(storage.collected.isEmpty)
    }

    @Test("D-M8: the manifests are resources of their products")
    func resources() throws {
        let package = try #require(Repository.text(of: "Package.swift"))
        #expect(package.contains(#"let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]"#))
        #expect(package.components(separatedBy: "resources: privacyManifest)").count - 1 == 2)
    }

    @Test("The search finds a call in code, and none in comments or longer words")
    func search() {
        let file = SourceFile(
            path: "Sources/Device/HardwareKeys/A.swift",
            text: "// statfs\nlet date = item.creationDate\nlet status = myfstat(0)\nlet up = systemUptime\n")
        #expect(Self.categories(in: file) == ["FileTimestamp", "SystemBootTime"])
    }

    /// The modules that a product consists of on Apple platforms.
    private static func modules(of product: String) -> Set<String> {
        var modules: Set = [product]
        // What applications on Apple platforms link beside it.
        if product == "MobileAuthentication" { modules.insert("HardwareKeysApple") }
        var unvisited = Array(modules)
        while let module = unvisited.popLast() {
            for other in ImportTable.repository.rows[module]?.targets ?? [] where modules.insert(other).inserted {
                unvisited.append(other)
            }
        }
        return modules
    }

    /// The categories that some modules use, with the files that use them.
    private static func used(in modules: Set<String>) -> [String: [String]] {
        var used: [String: [String]] = [:]
        for file in Repository.sources where modules.contains(file.target) {
            for category in categories(in: file) { used[category, default: []].append(file.path) }
        }
        return used
    }

    private static func categories(in file: SourceFile) -> Set<String> {
        let words = Set(file.code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
        return Set(requiredReasonCalls.filter { !words.isDisjoint(with: $0.value) }.keys)
    }
}

/// The parts of a privacy manifest that are compared.
private struct PrivacyManifest {
    /// Something that a manifest must have is absent.
    struct Incomplete: Error {}

    let isTracking: Bool
    /// The reasons by category, without the prefix of its name.
    let accessed: [String: [String]]
    let collected: [String]

    init(of target: String) throws {
        let url = Repository.root.appending(path: "Sources/Device/\(target)/PrivacyInfo.xcprivacy")
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
        guard let root = list as? [String: Any], let tracking = root["NSPrivacyTracking"] as? Bool,
            let domains = root["NSPrivacyTrackingDomains"] as? [String], domains.isEmpty,
            let calls = root["NSPrivacyAccessedAPITypes"] as? [[String: Any]],
            let types = root["NSPrivacyCollectedDataTypes"] as? [[String: Any]]
        else { throw Incomplete() }
        isTracking = tracking
        var accessed: [String: [String]] = [:]
        for call in calls {
            guard let type = call["NSPrivacyAccessedAPIType"] as? String else { throw Incomplete() }
            let category = type.replacingOccurrences(of: "NSPrivacyAccessedAPICategory", with: "")
            accessed[category] = call["NSPrivacyAccessedAPITypeReasons"] as? [String]
        }
        self.accessed = accessed
        collected = try types.map { type in
            guard let name = type["NSPrivacyCollectedDataType"] as? String,
                type["NSPrivacyCollectedDataTypeTracking"] as? Bool == false,
                (type["NSPrivacyCollectedDataTypePurposes"] as? [String])?.isEmpty == false
            else { throw Incomplete() }
            return name.replacingOccurrences(of: "NSPrivacyCollectedDataType", with: "")
        }
    }
}
