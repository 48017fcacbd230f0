import HardwareKeys

extension VolatileLayer {
    /// The same entries under another root key.
    ///
    /// A damaged one stays as it is, and opens with no key. Throws what reading the base throws.
    func rekeyed(
        with envelope: KeyEnvelope, _ environment: StorageEnvironment
    ) throws(SecureStorageError) -> VolatileLayer {
        var layer = self
        var header = envelope.header
        header.generation = self.header.generation
        header.anchor = self.header.anchor
        layer.header = header
        layer.wrap = envelope.wrap
        layer.keys = envelope.keys
        layer.invocations = 0
        var entries: [EntryName: LayerChange] = [:]
        entries.reserveCapacity(entryCount)
        for (name, entry) in try sortedEntries() {
            let old = ReadableEntry(entry: entry, name: name, keys: keys)
            let new = try? old.resealed(under: layer.keys, nonces: environment)
            entries[name] = LayerChange(revision: changes[name]?.revision ?? 0, entry: new ?? entry)
            layer.invocations += 1
        }
        layer.restart(with: entries)
        return layer
    }

    /// Notes that the layer lies on the disk as it is now, in a separate base.
    mutating func adopt(_ product: StoreFileWriter.Product, in file: any ReadableFile) {
        markWritten(in: BlockStore(product, in: file, with: keys))
        note(product.header, product.authenticator)
        ends = product.ends
        position = LogPosition(baseCode: product.authenticator, start: product.bytes.count, ends: product.ends)
    }

    /// Notes that the layer lies on the disk as it is now, behind a record of the log.
    ///
    /// Without its receipt nothing may be written behind the record.
    mutating func adopt(_ product: LogWriter.Product, hasReceipt: Bool) {
        markWritten()
        note(product.header, product.authenticator)
        ends = hasReceipt ? product.position.ends : nil
        position = hasReceipt ? product.position : nil
    }

    private mutating func note(_ header: StoreFileHeader, _ authenticator: [UInt8]) {
        self.header = header
        self.authenticator = authenticator
        invocations = header.invocations
        unacknowledged = nil
    }

    /// Takes the commit whose write failed at its very end for the last one.
    mutating func continueFromUnacknowledged(anchoredAt anchor: UInt64) {
        guard let unacknowledged else { return }
        authenticator = unacknowledged
        header.generation += 1
        header.anchor = anchor
        self.unacknowledged = nil
        distrustFile()
    }

    /// Notes that the file is not as the last commit left it: the next one replaces it.
    mutating func distrustFile() {
        ends = nil
        position = nil
    }

    /// This layer, which is on the disk now, with what was changed in `current` since `start` was taken.
    func merged(
        with current: VolatileLayer, since start: VolatileLayer, _ environment: StorageEnvironment
    ) -> VolatileLayer {
        var layer = self
        layer.readableUntil = protectionIsSame(as: start) ? current.readableUntil : readableUntil
        layer.keepEntries(of: current)
        guard current.revision != start.revision else { return layer }
        let isCleared = current.clearings != start.clearings
        if isCleared { layer.clear() }
        for (name, change) in current.changes {
            guard isCleared || change.revision != start.changes[name]?.revision else { continue }
            // Memory that other code changed opens with no key and stays as useless as it was.
            try? layer.takeOver(change, named: name, from: current.keys, environment)
        }
        layer.outdate(current.revision)
        return layer
    }

    private func protectionIsSame(as other: VolatileLayer) -> Bool {
        header.protection == other.header.protection && wrap == other.wrap
    }

    /// Takes a change of a layer with the same storage and maybe other keys.
    private mutating func takeOver(
        _ change: LayerChange, named name: EntryName, from oldKeys: StoreKeys, _ environment: StorageEnvironment
    ) throws(SecureStorageError) {
        let old = try byteCount(of: name)
        guard let entry = change.entry, oldKeys !== keys else {
            adopt(change, named: name, over: old)
            return
        }
        let readable = ReadableEntry(entry: entry, name: name, keys: oldKeys)
        let resealed = try readable.resealed(under: keys, nonces: environment)
        adopt(LayerChange(revision: change.revision, entry: resealed), named: name, over: old)
        invocations += 1
    }
}
