import ServerAdministration
import ServerCore
import StrictJSON

/// Lines of a file in memory.
final class MemoryLines: ImportLines {
    private var lines: [ImportLine]

    init(_ lines: [ImportLine]) { self.lines = lines.reversed() }

    func next() throws(ImportFault) -> ImportLine? { lines.popLast() }
}

extension FileImport.Source {
    /// A file of JSON Lines; `id` is the hash of it.
    static func lines(_ objects: [JSONObject], id: String = "file") -> FileImport.Source {
        texts(objects.map { JSONWriter.text(.object($0)) }, id: id)
    }

    static func texts(_ texts: [String], id: String = "file") -> FileImport.Source {
        FileImport.Source(id: id, kind: "signet-jsonl") { () throws(ImportFault) in
            JSONLinesReader(MemoryLines(texts.map { Array($0.utf8) }))
        }
    }
}
