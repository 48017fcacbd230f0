import CommandSupport
import Foundation

/// Files of a trial in Python, as a release installs them or a checkout has them.
struct TryFiles {
    /// Program of the shop; its pages and attacks lie beside it.
    let shop: URL
    let check: URL
    let python: URL

    /// Finds them for the program in a folder.
    ///
    /// Throws ``CommandFailure``: `ShopMissing` when the shop is not installed, `PythonMissing` without an interpreter.
    static func find(besides program: URL, path: String?) throws(CommandFailure) -> TryFiles {
        let folder = try folder(besides: program)
        return TryFiles(
            shop: folder.appending(path: "shop/shop.py"), check: folder.appending(path: "try/check.py"),
            python: try python(in: path))
    }

    private static func folder(besides program: URL) throws(CommandFailure) -> URL {
        var folder = program.deletingLastPathComponent()
        let installed = folder.appending(path: "../share/signet", directoryHint: .isDirectory).standardizedFileURL
        if hasShop(installed) { return installed }
        // In a checkout the program lies some folders below the sources.
        while folder.path() != "/" {
            let sources = folder.appending(path: "packaging", directoryHint: .isDirectory)
            if hasShop(sources) { return sources }
            folder = folder.deletingLastPathComponent().standardizedFileURL
        }
        throw .local("ShopMissing", "the example shop is missing: share/signet/shop/shop.py of the release")
    }

    private static func hasShop(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "shop/shop.py").path())
    }

    private static func python(in path: String?) throws(CommandFailure) -> URL {
        for folder in (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":") {
            let file = URL(filePath: String(folder)).appending(path: "python3")
            if FileManager.default.isExecutableFile(atPath: file.path()) { return file }
        }
        throw .local(
            "PythonMissing", "there is no python3 here, in which the example shop is written: install it (python3)")
    }
}
