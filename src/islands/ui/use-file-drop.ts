import { type DragEvent, useRef, useState } from 'react';

/** Handles files dragged over an element and dropped there; null: none are accepted. */
export function useFileDrop(onFiles: ((files: readonly File[]) => void) | null) {
  const [isOver, setOver] = useState(false);
  // Entering a child fires a leave event on its parent: the pointer has left when leaves equal enters.
  const depth = useRef(0);
  const end = () => {
    depth.current = 0;
    setOver(false);
  };
  const hasFiles = ({ dataTransfer }: DragEvent) => onFiles !== null && dataTransfer.types.includes('Files');
  return {
    isOver: isOver && onFiles !== null,
    handlers: {
      onDragEnter(event: DragEvent) {
        if (!hasFiles(event)) return;
        depth.current += 1;
        setOver(true);
      },
      onDragLeave(event: DragEvent) {
        if (!hasFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) end();
      },
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDrop(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        end();
        onFiles?.([...event.dataTransfer.files]);
      },
    },
  };
}
