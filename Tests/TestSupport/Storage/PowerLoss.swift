/// Possible contents of a disk after a power loss between two recorded steps.
///
/// A disk keeps what was synchronised. Of the rest it may keep anything: every sector of a write or none (a lost one
/// reads as zeros, or the file ends before it), every change of a name or none, in any combination and in any order; a
/// rename may have made the new name and not yet removed the old one. Not covered: sectors torn inside, and disks that
/// lose what they had acknowledged.
package struct PowerLoss: Sendable {
    private let start: DiskImage
    private let steps: [DiskStep]
    private let sectorByteCount: Int

    /// Power losses of a recorded file system; sectors have 512 or 4,096 bytes.
    package init(of disk: RecordingFileSystem, sectorByteCount: Int = 512) {
        start = disk.start
        steps = disk.steps
        self.sectorByteCount = sectorByteCount
    }

    /// Points of the power loss: before the first step, and after each.
    package var cuts: ClosedRange<Int> { 0...steps.count }

    /// Last value that was acknowledged within the first `cut` steps; nil when there was none.
    package func acknowledged(at cut: Int) -> Int? {
        steps[..<cut].reduce(nil) { last, step in
            if case .acknowledge(let value) = step { value } else { last }
        }
    }

    /// Value of the TPM's counter after the first `cut` steps; nil when it never counted.
    package func count(at cut: Int) -> UInt64? {
        steps[..<cut].reduce(nil) { last, step in
            if case .count(let value) = step { value } else { last }
        }
    }

    /// Every possible disk after `cut` steps.
    package func images(at cut: Int) -> Set<DiskImage> {
        var platter = DiskPlatter(start)
        for step in steps[..<cut] { platter.take(step) }
        var images: Set<DiskImage> = []
        let survivors = SurvivingSubsets.of(platter.pendingNames.count)
        for names in Set(survivors.map(platter.names(afterKeeping:))) {
            images.formUnion(self.images(of: names, on: platter))
        }
        return images
    }

    /// Images with these names, with every possible content of their files.
    private func images(of names: [String: Int], on platter: DiskPlatter) -> [DiskImage] {
        var images = [DiskImage(directories: platter.directories)]
        for (path, file) in names {
            let contents = platter.contents(of: file, sectorByteCount: sectorByteCount)
            images = images.flatMap { image in
                contents.map { content in
                    var image = image
                    image.files[path] = content
                    return image
                }
            }
        }
        return images
    }
}
