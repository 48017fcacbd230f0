/// Rows about imports.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
package protocol ImportRows {
    /// Progress of an import, by the hash of its file; nil for one that was not begun.
    func importProgress(of file: String) throws(ServerTransactionFailure) -> ImportProgress?

    /// Writes the progress of an import; false, and nothing written, when `known` entries are not what was done before.
    func set(
        _ progress: ImportProgress, ofImport file: String, after known: Int
    ) throws(ServerTransactionFailure) -> Bool
}
