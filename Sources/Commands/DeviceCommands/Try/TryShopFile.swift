import CommandSupport
import Foundation

/// Files of the example shop, as a release installs them or a checkout has them.
struct TryShopFile {
    /// Program of the shop; its attacks lie beside it.
    let program: URL
    /// Interpreter of Python 3.
    let python: URL

    /// Finds both for the program in a folder.
    ///
    /// Throws ``CommandFailure``: `ShopMissing` when the shop is not installed, `PythonMissing` without an interpreter.
    static func find(besides program: URL, path: String?) throws(CommandFailure) -> TryShopFile {
        TryShopFile(program: try shop(besides: program), python: try python(in: path))
    }

    private static func shop(besides program: URL) throws(CommandFailure) -> URL {
        var folder = program.deletingLastPathComponent()
        let installed = folder.appending(path: "../share/signet/shop/shop.py").standardizedFileURL
        if FileManager.default.fileExists(atPath: installed.path()) { return installed }
        // In a checkout the program lies some folders below the sources.
        while folder.path() != "/" {
            let file = folder.appending(path: "packaging/shop/shop.py")
            if FileManager.default.fileExists(atPath: file.path()) { return file }
            folder = folder.deletingLastPathComponent().standardizedFileURL
        }
        throw .local("ShopMissing", "the example shop is missing: share/signet/shop/shop.py of the release")
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
