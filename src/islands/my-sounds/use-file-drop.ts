import { type DragEvent, useRef, useState } from 'react';

/** Files dragged over an element and dropped there; null: none are taken. */
export function useFileDrop(onFiles: ((files: readonly File[]) => void) | null) {
  const [isOver, setOver] = useState(false);
  // Entering a child leaves its parent: only as many leaves as enters mean that the pointer has gone.
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
